select approval_id, subject, expires_at, state, version, body from approvals
