insert into approvals (approval_id, subject, expires_at, state, version, body) values ($1, $2, $3, $4, $5, $6)
