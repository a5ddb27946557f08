-- If no row is inserted, another run of the month has begun since, or the month is already closed.
insert into statement_parts (partner_id, statement_id, file, number, month, body)
select $1, $2, $3, $4, month, $5 from statement_months where month = $6 and run = $7 and closed_at is null
