-- A piece of an import with its counts. One that does not come back has an id or number that is taken.
with given as (
    select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[], $5::text[], $6::text[], $7::bytea[], $8::integer[],
                         $9::smallint[], $10::integer[])
        as given (partner_id, policy_id, issued_at, session_id, number, insurer_number, body, day, state, last_day)
), kept as (
    insert into policies (partner_id, policy_id, line, issued_at, session_id, number, insurer_number, body, state, changed_at, last_day)
    select partner_id, policy_id, $11, issued_at, session_id, number, insurer_number, body, state, issued_at, last_day from given
    on conflict do nothing
    returning partner_id, policy_id
), of_days as (
    insert into day_counts as counted (partner_id, kind, day, slot, number)
    select partner_id, $12, day, $13, count(*) from given join kept using (partner_id, policy_id)
     group by partner_id, day order by partner_id, day
    on conflict (partner_id, kind, day, slot) do update set number = counted.number + excluded.number
), of_sessions as (
    insert into session_counts as counted (partner_id, session_id, kind, number)
    select partner_id, session_id, $12, count(*) from given join kept using (partner_id, policy_id)
     where session_id is not null group by partner_id, session_id order by partner_id, session_id
    on conflict (partner_id, session_id, kind) do update set number = counted.number + excluded.number
)
select partner_id, policy_id from kept
