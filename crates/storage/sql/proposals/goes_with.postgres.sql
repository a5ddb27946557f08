-- What goes with a proposal that is kept or moved, where the act was done: its policy, its job, its response, its counts, its draw on a
-- deposit, and tags. $8 to $10 are the proposal.
), issued as (
    insert into policies
        (partner_id, proposal_id, line, policy_id, issued_at, session_id, number, insurer_number, check_hash, body, certificate,
         last_day, renewable_until, changed_at)
    select $8, $9, $10, issued.*, issued.issued_at from act, unnest(
        $16::uuid[], $17::bigint[], $18::uuid[], $19::text[], $20::text[], $21::uuid[], $22::bytea[], $23::bytea[],
        $24::integer[], $25::integer[])
        as issued (policy_id, issued_at, session_id, number, insurer_number, check_hash, body, certificate, last_day,
                   renewable_until)
), told as (
    insert into jobs (partner_id, kind, subject_id, due_at)
    select $8, 30, policy_id, due from act, unnest($16::uuid[], $26::bigint[]) as told (policy_id, due) where due is not null
), asked as (
    insert into jobs (partner_id, kind, subject_id, due_at)
    select $8, $27, $9, due from act, unnest($28::bigint[]) as due
    on conflict (partner_id, kind, subject_id) do nothing
), response_kept as (
    insert into kept_responses (partner_id, idempotency_key, kept_at, body)
    select response.* from act, unnest($30::uuid[], $31::bytea[], $32::bigint[], $33::bytea[]) as response
), of_days as (
    insert into day_counts as counted (partner_id, slot, kind, day, number)
    select $8, $34, one.*, 1 from act, unnest($35::smallint[], $36::integer[]) as one
    on conflict (partner_id, kind, day, slot) do update set number = counted.number + 1
), of_sessions as (
    insert into session_counts as counted (partner_id, kind, session_id, number)
    select $8, one.*, 1 from act, unnest($37::smallint[], $38::uuid[]) as one
    on conflict (partner_id, session_id, kind) do update set number = counted.number + 1
), drawn as (
    update deposits set balance = deposits.balance - draw.amount, guaranteed = draw.guaranteed
      from act, unnest($43::bigint[], $44::uuid[], $45::text[], $46::boolean[])
        as draw (amount, insurer_id, name, guaranteed)
     where deposits.insurer_id = draw.insurer_id and deposits.name = draw.name
), posted as (
    insert into ledger (posted_at, entry, debit, credit, amount, insurer_id, deposit, partner_id, proposal_id)
    select draw.*, $8, $9 from act, unnest(
        $39::bigint[], $40::smallint[], $41::smallint[], $42::smallint[], $43::bigint[], $44::uuid[], $45::text[]) as draw
), tagged as (
    insert into tags (partner_id, subject_id, tag, named)
    select one.* from act, unnest($47::uuid[], $48::uuid[], $49::uuid[], $50::bytea[]) as one
