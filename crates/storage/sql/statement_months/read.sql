select closed_at from statement_months where month = $1
