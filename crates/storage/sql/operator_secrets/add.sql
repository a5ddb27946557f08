insert into operator_secrets (operator_id, hash, kind, expires_at, ended_at, version, seen_at, body)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (hash) do nothing
