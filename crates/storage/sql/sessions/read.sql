select partner_id, session_id, created_at, body from sessions where partner_id = $1 and session_id = $2
