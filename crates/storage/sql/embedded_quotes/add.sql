insert into embedded_quotes (partner_id, quote_id, body) values ($1, $2, $3)
