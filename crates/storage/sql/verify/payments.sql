select reference, {sealed}, paid_for, {total}, {used} from payments
