select reference, {sealed} from payments
