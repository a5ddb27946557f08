select hash, operator_id, kind, expires_at, ended_at, version, seen_at, body from operator_secrets where operator_id = $1 order by expires_at desc, hash
