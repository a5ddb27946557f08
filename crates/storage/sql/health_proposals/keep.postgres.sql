-- The journey's new version, then the proposal with all that belongs to it, in one statement. No row: the journey was
-- changed meanwhile, and nothing was done. A proposal that is active already ends it all.
with changed as (
    update journeys set seen_at = $12, version = $13, body = $14
     where partner_id = $1 and journey_id = $15 and version = $16
    returning 1
), kept as (
    insert into health_proposals
        (partner_id, proposal_id, status, created_at, changed_at, session_id, quote_id, variant_id, insurer_reference, reason, body)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 from changed
), made as (
    insert into health_moves (partner_id, proposal_id, moved_at, moved_by, from_status, to_status, reason, place)
    select $1, $2, made.* from changed, unnest($17::bigint[], $18::smallint[], $19::smallint[], $20::smallint[], $21::bytea[])
        with ordinality as made
), issued as (
    insert into health_policies
        (partner_id, proposal_id, policy_id, issued_at, session_id, number, insurer_number, check_code, body, certificate)
    select $1, $2, issued.* from changed, unnest(
        $22::uuid[], $23::bigint[], $24::uuid[], $25::text[], $26::text[], $27::uuid[], $28::bytea[], $29::bytea[]) as issued
), asked as (
    insert into jobs (partner_id, kind, subject_id, due_at)
    select $1, $30, $2, due from changed, unnest($31::bigint[]) as due
    on conflict (partner_id, kind, subject_id) do nothing
), of_days as (
    insert into day_counts as counted (partner_id, slot, kind, day, number)
    select $1, $32, one.*, 1 from changed, unnest($33::smallint[], $34::integer[]) as one
    on conflict (partner_id, kind, day, slot) do update set number = counted.number + 1
), of_sessions as (
    insert into session_counts as counted (partner_id, kind, session_id, number)
    select $1, one.*, 1 from changed, unnest($35::smallint[], $36::uuid[]) as one
    on conflict (partner_id, session_id, kind) do update set number = counted.number + 1
)
select 1 from changed
