select approval_id, subject, expires_at, state, version, body from approvals where approval_id = $1
