select approval_id, subject, expires_at, version, body from approvals where expires_at > $1 order by approval_id desc limit $2
