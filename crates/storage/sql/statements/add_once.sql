-- statements/add_once.sql: no row means that there is one under its number.
insert into statements (partner_id, statement_id, month, kind, number, made_at, paid_at, body)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (partner_id, number) do nothing
