-- Moves a proposal only from where it was seen (D28). No row: somebody was first, and nothing was done. $31 says whether
-- the move decides: nobody is asked any more then. A draw on a deposit that has too little ends it all, by the schema's
-- rule; a proposal that waited for its deposit (route 1) waits no longer once it is decided ($49).
-- `events/within.postgres.sql` follows, which keeps the act's events: $1 to $7.
with moved as (
    update proposals set status = $11, changed_at = $12, reason = $13
     where partner_id = $8 and proposal_id = $9 and line = $10 and status = $14
    returning 1
), made as (
    insert into moves (partner_id, proposal_id, line, moved_at, moved_by, from_status, to_status, reason, sequence)
    select $8, $9, $10, made.moved_at, made.moved_by, made.from_status, made.to_status, made.reason, made.nth + (
        select coalesce(max(sequence), 0) from moves where partner_id = $8 and proposal_id = $9)
      from moved, unnest($15::bigint[], $16::smallint[], $17::smallint[], $18::smallint[], $19::bytea[])
        with ordinality as made (moved_at, moved_by, from_status, to_status, reason, nth)
), issued as (
    insert into policies
        (partner_id, proposal_id, line, policy_id, issued_at, session_id, number, insurer_number, check_hash, body, certificate,
         last_day, renewable_until, changed_at)
    select $8, $9, $10, issued.*, issued.issued_at from moved, unnest(
        $20::uuid[], $21::bigint[], $22::uuid[], $23::text[], $24::text[], $25::uuid[], $26::bytea[], $27::bytea[],
        $28::integer[], $55::integer[])
        as issued (policy_id, issued_at, session_id, number, insurer_number, check_hash, body, certificate, last_day,
                   renewable_until)
), asked as (
    insert into jobs (partner_id, kind, subject_id, due_at)
    select $8, $29, $9, due from moved, unnest($30::bigint[]) as due
    on conflict (partner_id, kind, subject_id) do nothing
), decided as (
    delete from jobs using moved
     where jobs.partner_id = $8 and jobs.kind = $29 and jobs.subject_id = $9 and $31
), response_kept as (
    insert into kept_responses (partner_id, idempotency_key, kept_at, body)
    select response.* from moved, unnest($32::uuid[], $33::bytea[], $34::bigint[], $35::bytea[]) as response
), of_days as (
    insert into day_counts as counted (partner_id, slot, kind, day, number)
    select $8, $36, one.*, 1 from moved, unnest($37::smallint[], $38::integer[]) as one
    on conflict (partner_id, kind, day, slot) do update set number = counted.number + 1
), of_sessions as (
    insert into session_counts as counted (partner_id, kind, session_id, number)
    select $8, one.*, 1 from moved, unnest($39::smallint[], $40::uuid[]) as one
    on conflict (partner_id, session_id, kind) do update set number = counted.number + 1
), drawn as (
    update deposits set balance = deposits.balance - draw.amount, guaranteed = draw.guaranteed
      from moved, unnest($45::bigint[], $46::uuid[], $47::text[], $48::boolean[])
        as draw (amount, insurer_id, name, guaranteed)
     where deposits.insurer_id = draw.insurer_id and deposits.name = draw.name
), posted as (
    insert into ledger (posted_at, entry, debit, credit, amount, insurer_id, deposit, partner_id, proposal_id)
    select draw.*, $8, $9 from moved, unnest(
        $41::bigint[], $42::smallint[], $43::smallint[], $44::smallint[], $45::bigint[], $46::uuid[], $47::text[]) as draw
), waited as (
    delete from premiums using moved
     where premiums.partner_id = $8 and premiums.proposal_id = $9 and premiums.route = 1 and $49
), tagged as (
    insert into tags (partner_id, subject_id, tag, named)
    select one.* from moved, unnest($50::uuid[], $51::uuid[], $52::uuid[], $53::bytea[]) as one
), told as (
    insert into jobs (partner_id, kind, subject_id, due_at)
    select $8, 30, policy_id, due from moved, unnest($20::uuid[], $54::bigint[]) as told (policy_id, due) where due is not null
), act as (
    select 1 from moved
