-- Month 0 stands for no month, so no run of a month deletes the part.
insert into statement_parts (partner_id, statement_id, file, number, month, body) values ($1, $2, $3, $4, 0, $5)
