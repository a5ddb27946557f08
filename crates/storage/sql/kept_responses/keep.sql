-- If no row is inserted or changed, another request with the same key came first (D36). A response from before $5 has
-- expired, so it is replaced, even if it has not been deleted yet.
insert into kept_responses (partner_id, idempotency_key, kept_at, body) values ($1, $2, $3, $4)
on conflict (partner_id, idempotency_key) do update set kept_at = excluded.kept_at, body = excluded.body
 where kept_responses.kept_at < $5
