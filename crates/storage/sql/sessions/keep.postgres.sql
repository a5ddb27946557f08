with response_kept as (
    insert into kept_responses (partner_id, idempotency_key, kept_at, body)
    select * from unnest($5::uuid[], $6::bytea[], $7::bigint[], $8::bytea[])
)
insert into sessions (partner_id, session_id, created_at, body) values ($1, $2, $3, $4)
