-- Moves a proposal only from where it was seen (D28). No row: somebody was first, and nothing was done. $24 says whether
-- the move decides: nobody is asked any more then. A draw on a deposit that has too little ends it all, by the schema's
-- rule; a proposal that waited for its deposit (route 1) waits no longer once it is decided ($42).
with moved as (
    update proposals set status = $4, changed_at = $5, reason = $6
     where partner_id = $1 and proposal_id = $2 and line = $3 and status = $7
    returning 1
), made as (
    insert into moves (partner_id, proposal_id, line, moved_at, moved_by, from_status, to_status, reason, sequence)
    select $1, $2, $3, made.moved_at, made.moved_by, made.from_status, made.to_status, made.reason, made.nth + (
        select coalesce(max(sequence), 0) from moves where partner_id = $1 and proposal_id = $2)
      from moved, unnest($8::bigint[], $9::smallint[], $10::smallint[], $11::smallint[], $12::bytea[])
        with ordinality as made (moved_at, moved_by, from_status, to_status, reason, nth)
), issued as (
    insert into policies
        (partner_id, proposal_id, line, policy_id, issued_at, session_id, number, insurer_number, check_hash, body, certificate,
         last_day, renewable_until, changed_at)
    select $1, $2, $3, issued.*, issued.issued_at from moved, unnest(
        $13::uuid[], $14::bigint[], $15::uuid[], $16::text[], $17::text[], $18::uuid[], $19::bytea[], $20::bytea[],
        $21::integer[], $48::integer[])
        as issued (policy_id, issued_at, session_id, number, insurer_number, check_hash, body, certificate, last_day,
                   renewable_until)
), asked as (
    insert into jobs (partner_id, kind, subject_id, due_at)
    select $1, $22, $2, due from moved, unnest($23::bigint[]) as due
    on conflict (partner_id, kind, subject_id) do nothing
), decided as (
    delete from jobs using moved
     where jobs.partner_id = $1 and jobs.kind = $22 and jobs.subject_id = $2 and $24
), response_kept as (
    insert into kept_responses (partner_id, idempotency_key, kept_at, body)
    select response.* from moved, unnest($25::uuid[], $26::bytea[], $27::bigint[], $28::bytea[]) as response
), of_days as (
    insert into day_counts as counted (partner_id, slot, kind, day, number)
    select $1, $29, one.*, 1 from moved, unnest($30::smallint[], $31::integer[]) as one
    on conflict (partner_id, kind, day, slot) do update set number = counted.number + 1
), of_sessions as (
    insert into session_counts as counted (partner_id, kind, session_id, number)
    select $1, one.*, 1 from moved, unnest($32::smallint[], $33::uuid[]) as one
    on conflict (partner_id, session_id, kind) do update set number = counted.number + 1
), drawn as (
    update deposits set balance = deposits.balance - draw.amount, guaranteed = draw.guaranteed
      from moved, unnest($38::bigint[], $39::uuid[], $40::text[], $41::boolean[])
        as draw (amount, insurer_id, name, guaranteed)
     where deposits.insurer_id = draw.insurer_id and deposits.name = draw.name
), posted as (
    insert into ledger (posted_at, entry, debit, credit, amount, insurer_id, deposit, partner_id, proposal_id)
    select draw.*, $1, $2 from moved, unnest(
        $34::bigint[], $35::smallint[], $36::smallint[], $37::smallint[], $38::bigint[], $39::uuid[], $40::text[]) as draw
), waited as (
    delete from premiums using moved
     where premiums.partner_id = $1 and premiums.proposal_id = $2 and premiums.route = 1 and $42
), tagged as (
    insert into tags (partner_id, subject_id, tag, named)
    select one.* from moved, unnest($43::uuid[], $44::uuid[], $45::uuid[], $46::bytea[]) as one
), told as (
    insert into jobs (partner_id, kind, subject_id, due_at)
    select $1, 30, policy_id, due from moved, unnest($13::uuid[], $47::bigint[]) as told (policy_id, due) where due is not null
)
select 1 from moved
