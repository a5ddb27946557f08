-- statement_parts/add.postgres.sql: no row means that another run has begun since. The month's row is locked, so that whoever
-- begins another run sees this part.
with run as (
    select month from statement_months where month = $6 and run = $7 and closed_at is null for update
)
insert into statement_parts (partner_id, statement_id, file, number, month, body)
select $1, $2, $3, $4, month, $5 from run
