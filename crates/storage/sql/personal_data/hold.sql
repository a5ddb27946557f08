insert into holds (record_id, record, held_at, held_by, reason) values ($1, $2, $3, $4, $5) on conflict (record_id) do nothing
