-- The proposal with its moves, its policy, its job, its response, its journey's new version and its counts, in one
-- statement: whole or not at all. No row: the journey was changed meanwhile, and nothing was done. A response whose key
-- was used, a proposal that is active already, or a deposit that has too little, ends it all.
with changed as (
    update journeys set seen_at = given.seen_at, version = given.version, body = given.body
      from unnest($34::uuid[], $35::bigint[], $36::integer[], $37::bytea[], $38::integer[])
        as given (journey_id, seen_at, version, body, before)
     where journeys.partner_id = $1 and journeys.journey_id = given.journey_id and journeys.version = given.before
    returning 1
), gate as (
    select 1 where (select count(*) from changed) = cardinality($34::uuid[])
), kept as (
    insert into proposals
        (partner_id, proposal_id, line, status, created_at, changed_at, session_id, quote_id, variant_id, insurer_reference, reason, body)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 from gate
), made as (
    insert into moves (partner_id, proposal_id, line, moved_at, moved_by, from_status, to_status, reason, sequence)
    select $1, $2, $3, made.* from gate, unnest($13::bigint[], $14::smallint[], $15::smallint[], $16::smallint[], $17::bytea[])
        with ordinality as made
), issued as (
    insert into policies
        (partner_id, proposal_id, line, policy_id, issued_at, session_id, number, insurer_number, check_hash, body, certificate,
         last_day, renewable_until, changed_at)
    select $1, $2, $3, issued.*, issued.issued_at from gate, unnest(
        $18::uuid[], $19::bigint[], $20::uuid[], $21::text[], $22::text[], $23::uuid[], $24::bytea[], $25::bytea[],
        $26::integer[], $57::integer[])
        as issued (policy_id, issued_at, session_id, number, insurer_number, check_hash, body, certificate, last_day,
                   renewable_until)
), asked as (
    insert into jobs (partner_id, kind, subject_id, due_at)
    select $1, $27, $2, due from gate, unnest($28::bigint[]) as due
    on conflict (partner_id, kind, subject_id) do nothing
), response_kept as (
    insert into kept_responses (partner_id, idempotency_key, kept_at, body)
    select response.* from gate, unnest($30::uuid[], $31::bytea[], $32::bigint[], $33::bytea[]) as response
), of_days as (
    insert into day_counts as counted (partner_id, slot, kind, day, number)
    select $1, $39, one.*, 1 from gate, unnest($40::smallint[], $41::integer[]) as one
    on conflict (partner_id, kind, day, slot) do update set number = counted.number + 1
), of_sessions as (
    insert into session_counts as counted (partner_id, kind, session_id, number)
    select $1, one.*, 1 from gate, unnest($42::smallint[], $43::uuid[]) as one
    on conflict (partner_id, session_id, kind) do update set number = counted.number + 1
), drawn as (
    update deposits set balance = deposits.balance - draw.amount, guaranteed = draw.guaranteed
      from gate, unnest($48::bigint[], $49::uuid[], $50::text[], $51::boolean[])
        as draw (amount, insurer_id, name, guaranteed)
     where deposits.insurer_id = draw.insurer_id and deposits.name = draw.name
), posted as (
    insert into ledger (posted_at, entry, debit, credit, amount, insurer_id, deposit, partner_id, proposal_id)
    select draw.*, $1, $2 from gate, unnest(
        $44::bigint[], $45::smallint[], $46::smallint[], $47::smallint[], $48::bigint[], $49::uuid[], $50::text[]) as draw
), tagged as (
    insert into tags (partner_id, subject_id, tag, named)
    select one.* from gate, unnest($52::uuid[], $53::uuid[], $54::uuid[], $55::bytea[]) as one
), told as (
    insert into jobs (partner_id, kind, subject_id, due_at)
    select $1, 30, policy_id, due from gate, unnest($18::uuid[], $56::bigint[]) as told (policy_id, due) where due is not null
)
select 1 from gate
