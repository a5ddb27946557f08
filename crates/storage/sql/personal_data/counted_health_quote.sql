select partner_id, 0, created_at, session_id from health_quotes where partner_id = $1 and quote_id = $2
