insert into health_quotes (partner_id, quote_id, created_at, session_id, body) values ($1, $2, $3, $4, $5)
