select month, run, closed_at, catalogue, {proof} from statement_months
