insert into erasures (erasure_id, erased_at) values ($1, $2) on conflict (erasure_id) do nothing
