-- Moves a proposal only from where it was seen (D28). No row: somebody was first, and nothing was done.
with moved as (
    update proposals set status = $3, changed_at = $4
     where partner_id = $1 and proposal_id = $2 and status = $5
    returning 1
), answered as (
    insert into answers (partner_id, answer_key, kept_at, body)
    select answer.* from moved, unnest($6::uuid[], $7::bytea[], $8::bigint[], $9::bytea[]) as answer
), made as (
    insert into moves (partner_id, proposal_id, moved_at, moved_by, from_status, to_status, reason, place)
    select $1, $2, made.moved_at, made.moved_by, made.from_status, made.to_status, made.reason, made.nth + (
        select coalesce(max(place), 0) from moves where partner_id = $1 and proposal_id = $2)
      from moved, unnest($10::bigint[], $11::smallint[], $12::smallint[], $13::smallint[], $14::bytea[])
        with ordinality as made (moved_at, moved_by, from_status, to_status, reason, nth)
), issued as (
    insert into policies (partner_id, proposal_id, policy_id, number, insurer_number, check_code, body, certificate)
    select $1, $2, issued.* from moved, unnest($15::uuid[], $16::text[], $17::text[], $18::uuid[], $19::bytea[], $20::bytea[]) as issued
), asked as (
    insert into jobs (partner_id, kind, subject_id, due_at)
    select $1, $21, $2, due from moved, unnest($22::bigint[]) as due
    on conflict (partner_id, kind, subject_id) do nothing
), decided as (
    delete from jobs using moved
     where jobs.partner_id = $1 and jobs.kind = $21 and jobs.subject_id = $2 and $23
)
select 1 from moved
