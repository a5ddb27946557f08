-- It belongs to no month, so that no run of a month removes it.
insert into statement_parts (partner_id, statement_id, file, number, month, body) values ($1, $2, $3, $4, 0, $5)
