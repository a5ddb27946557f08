select partner_id, statement_id, month, kind, number, made_at, body, paid_at from statements where partner_id = $1 and statement_id = $2
