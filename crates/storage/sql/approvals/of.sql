select approval_id, subject, expires_at, version, body from approvals where subject = $1 and expires_at > $2 order by approval_id desc limit $3
