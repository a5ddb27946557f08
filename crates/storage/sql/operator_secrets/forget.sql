delete from operator_secrets where hash in (select hash from operator_secrets where expires_at < $1 limit $2)
