insert into health_quotes (partner_id, quote_id, created_at, session_id, lead_tag, user_tag, body)
values ($1, $2, $3, $4, $5, $6, $7)
