-- statement_months/close.sql: no row changed means that another run has begun since.
update statement_months set closed_at = $1 where month = $2 and run = $3 and closed_at is null
