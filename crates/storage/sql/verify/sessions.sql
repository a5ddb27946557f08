select session_id, created_at, body from sessions
