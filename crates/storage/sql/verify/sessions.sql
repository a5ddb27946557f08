select partner_id, session_id, created_at, body from sessions
