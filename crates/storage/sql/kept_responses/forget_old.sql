delete from kept_responses where (partner_id, idempotency_key) in
    (select partner_id, idempotency_key from kept_responses where kept_at < $1 limit $2)
