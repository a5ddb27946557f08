-- If no row is inserted, the token has already opened a journey.
insert into journeys (partner_id, journey_id, token_id, cookie_hash, seen_at, version, body)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (partner_id, token_id) do nothing
