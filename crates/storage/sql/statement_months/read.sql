select closed_at, catalogue from statement_months where month = $1 and closed_at is not null
