-- If no row is inserted, the partner already has a statement with this number.
insert into statements (partner_id, statement_id, month, kind, number, made_at, paid_at, body)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (partner_id, number) do nothing
