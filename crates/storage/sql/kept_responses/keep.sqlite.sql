-- No row added means that another request with the same key was first (D36).
insert into kept_responses (partner_id, idempotency_key, kept_at, body) values ($1, $2, $3, $4) on conflict (partner_id, idempotency_key) do nothing
