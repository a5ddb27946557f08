-- No row: the token opened a journey before, and nothing was done.
with opened as (
    insert into journeys (partner_id, journey_id, token_id, cookie_hash, seen_at, version, body)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (partner_id, token_id) do nothing
    returning 1
), begun as (
    insert into sessions (partner_id, session_id, created_at, body)
    select begun.* from opened, unnest($8::uuid[], $9::uuid[], $10::bigint[], $11::bytea[]) as begun
)
select 1 from opened
