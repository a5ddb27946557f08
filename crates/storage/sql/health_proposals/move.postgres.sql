-- Moves a proposal only from where it was seen. No row: somebody was first, and nothing was done.
with moved as (
    update health_proposals set status = $3, changed_at = $4, reason = $5
     where partner_id = $1 and proposal_id = $2 and status = $6
    returning 1
), made as (
    insert into health_moves (partner_id, proposal_id, moved_at, moved_by, from_status, to_status, reason, place)
    select $1, $2, made.moved_at, made.moved_by, made.from_status, made.to_status, made.reason, made.nth + (
        select coalesce(max(place), 0) from health_moves where partner_id = $1 and proposal_id = $2)
      from moved, unnest($7::bigint[], $8::smallint[], $9::smallint[], $10::smallint[], $11::bytea[])
        with ordinality as made (moved_at, moved_by, from_status, to_status, reason, nth)
), issued as (
    insert into health_policies
        (partner_id, proposal_id, policy_id, issued_at, session_id, number, insurer_number, check_code, body, certificate)
    select $1, $2, issued.* from moved, unnest(
        $12::uuid[], $13::bigint[], $14::uuid[], $15::text[], $16::text[], $17::uuid[], $18::bytea[], $19::bytea[]) as issued
), asked as (
    insert into jobs (partner_id, kind, subject_id, due_at)
    select $1, $20, $2, due from moved, unnest($21::bigint[]) as due
    on conflict (partner_id, kind, subject_id) do nothing
), decided as (
    delete from jobs using moved
     where jobs.partner_id = $1 and jobs.kind = $20 and jobs.subject_id = $2 and $22
), of_days as (
    insert into day_counts as counted (partner_id, slot, kind, day, number)
    select $1, $23, one.*, 1 from moved, unnest($24::smallint[], $25::integer[]) as one
    on conflict (partner_id, kind, day, slot) do update set number = counted.number + 1
), of_sessions as (
    insert into session_counts as counted (partner_id, kind, session_id, number)
    select $1, one.*, 1 from moved, unnest($26::smallint[], $27::uuid[]) as one
    on conflict (partner_id, session_id, kind) do update set number = counted.number + 1
)
select 1 from moved
