-- Stores a group of quotes with their jobs, tags and counts. If the id of a quote does not come back, a quote with this
-- id already exists. All writers update counts in the order of their keys, so that no two of them wait for each other.
with given as (
    select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[], $5::bytea[], $6::bigint[], $7::bigint[])
        as given (partner_id, quote_id, created_at, session_id, body, day, due)
), kept as (
    insert into health_quotes (partner_id, quote_id, created_at, session_id, body)
    select partner_id, quote_id, created_at, session_id, body from given
    on conflict (partner_id, quote_id) do nothing
    returning partner_id, quote_id
), asked as (
    insert into jobs (partner_id, kind, subject_id, due_at)
    select partner_id, $8::smallint, quote_id, due from given join kept using (partner_id, quote_id)
    on conflict (partner_id, kind, subject_id) do nothing
), tagged as (
    insert into tags (partner_id, subject_id, tag, named)
    select one.* from unnest($11::uuid[], $12::uuid[], $13::uuid[], $14::bytea[]) as one (partner_id, quote_id, tag, named)
      join kept using (partner_id, quote_id)
), of_days as (
    insert into day_counts as counted (partner_id, kind, day, slot, number)
    select partner_id, $9::smallint, day, $10::smallint, count(*) from given join kept using (partner_id, quote_id)
     group by partner_id, day order by partner_id, day
    on conflict (partner_id, kind, day, slot) do update set number = counted.number + excluded.number
), of_sessions as (
    insert into session_counts as counted (partner_id, session_id, kind, number)
    select partner_id, session_id, $9::smallint, count(*) from given join kept using (partner_id, quote_id)
     where session_id is not null group by partner_id, session_id order by partner_id, session_id
    on conflict (partner_id, session_id, kind) do update set number = counted.number + excluded.number
)
select quote_id from kept
