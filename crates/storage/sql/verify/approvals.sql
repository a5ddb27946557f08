select approval_id, subject, expires_at, version, body from approvals
