-- If no row comes back, another request with the same key was first (D36). A key older than a day may be used anew
-- before the sweep removes it.
insert into kept_responses (partner_id, idempotency_key, kept_at, body) values ($1, $2, $3, $4)
on conflict (partner_id, idempotency_key) do update set kept_at = excluded.kept_at, body = excluded.body
 where kept_responses.kept_at < $5
