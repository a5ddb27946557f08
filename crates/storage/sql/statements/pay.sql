-- If no row changed, the statement was already paid.
update statements set paid_at = $1, body = $2 where partner_id = $3 and statement_id = $4 and paid_at is null
