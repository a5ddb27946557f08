update operator_secrets
set operator_id = $1, expires_at = $2, ended_at = $3, version = $4, seen_at = $5, body = $6
where hash = $7 and version = $4 - 1
