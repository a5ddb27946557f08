-- If no row changed, another run has begun since.
update statement_months set closed_at = $1, catalogue = $2 where month = $3 and run = $4 and closed_at is null
