-- If no row changed, another run of the month has begun since, or the month is already closed.
update statement_months set closed_at = $1, catalogue = $2, proof = $3 where month = $4 and run = $5 and closed_at is null
