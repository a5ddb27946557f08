-- If no row changed, another run of the month has begun since, or the month is already closed.
update statement_months set closed_at = $1, catalogue = $2 where month = $3 and run = $4 and closed_at is null
