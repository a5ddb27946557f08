select approval_id, subject, expires_at, state, version, body from approvals where subject = $1 and state = $2 and expires_at > $3 order by approval_id desc limit $4
