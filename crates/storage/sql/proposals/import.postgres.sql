-- A piece of an import with its history and counts. One that does not come back has an id that is taken, or
-- another proposal is active for its quote and variant.
with given as (
    select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::bigint[], $5::bigint[], $6::uuid[], $7::text[], $8::bytea[],
        $9::bytea[], $10::integer[], $11::smallint[], $12::bytea[], $13::uuid[], $14::uuid[])
        as given (partner_id, proposal_id, status, created_at, changed_at, session_id, insurer_reference, reason, body, day, moved_by, move_reason, quote_id, variant_id)
), kept as (
    insert into proposals
        (partner_id, proposal_id, line, status, created_at, changed_at, session_id, quote_id, variant_id, insurer_reference, reason, body)
    select partner_id, proposal_id, $15, status, created_at, changed_at, session_id, quote_id, variant_id, insurer_reference, reason, body
      from given
    on conflict do nothing
    returning partner_id, proposal_id
), made as (
    insert into moves (partner_id, proposal_id, line, sequence, moved_at, moved_by, from_status, to_status, reason)
    select distinct on (partner_id, proposal_id) partner_id, proposal_id, $15, 1, created_at, moved_by, null, status, move_reason
      from given join kept using (partner_id, proposal_id)
    on conflict do nothing
), of_days as (
    insert into day_counts as counted (partner_id, kind, day, slot, number)
    select partner_id, $16, day, $17, count(*) from given join kept using (partner_id, proposal_id)
     group by partner_id, day order by partner_id, day
    on conflict (partner_id, kind, day, slot) do update set number = counted.number + excluded.number
), of_sessions as (
    insert into session_counts as counted (partner_id, session_id, kind, number)
    select partner_id, session_id, $16, count(*) from given join kept using (partner_id, proposal_id)
     where session_id is not null group by partner_id, session_id order by partner_id, session_id
    on conflict (partner_id, session_id, kind) do update set number = counted.number + excluded.number
)
select partner_id, proposal_id from kept
