insert into sessions (partner_id, session_id, created_at, body) values ($1, $2, $3, $4)
