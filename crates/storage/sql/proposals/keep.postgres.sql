-- The proposal with its moves, its policy, its job and its answer, in one statement: whole or not at all.
with answered as (
    insert into answers (partner_id, answer_key, kept_at, body)
    select * from unnest($7::uuid[], $8::bytea[], $9::bigint[], $10::bytea[])
), made as (
    insert into moves (partner_id, proposal_id, moved_at, moved_by, from_status, to_status, reason, place)
    select $1, $2, made.* from unnest($11::bigint[], $12::smallint[], $13::smallint[], $14::smallint[], $15::bytea[])
        with ordinality as made
), issued as (
    insert into policies (partner_id, proposal_id, policy_id, number, insurer_number, check_code, body, certificate)
    select $1, $2, issued.* from unnest($16::uuid[], $17::text[], $18::text[], $19::uuid[], $20::bytea[], $21::bytea[]) as issued
), asked as (
    insert into jobs (partner_id, kind, subject_id, due_at)
    select $1, $22, $2, due from unnest($23::bigint[]) as due
    on conflict (partner_id, kind, subject_id) do nothing
)
insert into proposals (partner_id, proposal_id, status, created_at, changed_at, body, quote_id) values ($1, $2, $3, $4, $5, $6, $24)
