select session_id, created_at, body, partner_id from sessions
