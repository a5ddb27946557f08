select approval_id, subject, expires_at, state, version, body from approvals where state = $1 and expires_at > $2 order by approval_id desc limit $3
