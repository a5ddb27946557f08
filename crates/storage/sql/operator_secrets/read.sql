select hash, operator_id, kind, expires_at, ended_at, version, seen_at, body from operator_secrets where hash = $1
