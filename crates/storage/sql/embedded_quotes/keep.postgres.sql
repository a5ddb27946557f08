-- A quote, or a group of them. One that does not come back has an id that is taken. A response whose key was used ends it all.
with response_kept as (
    insert into kept_responses (partner_id, idempotency_key, kept_at, body)
    select * from unnest($4::uuid[], $5::bytea[], $6::bigint[], $7::bytea[])
)
insert into embedded_quotes (partner_id, quote_id, body)
select * from unnest($1::uuid[], $2::uuid[], $3::bytea[])
on conflict (partner_id, quote_id) do nothing
returning quote_id
