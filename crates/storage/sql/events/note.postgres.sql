-- Keeps events, each counted among those of its subject. `after` is how many of the same subject come after it here. The counts
-- are held in the order of their subjects, so that no two acts wait for each other.
with counted as (
    insert into event_counts as counted (partner_id, subject_id, number)
    select partner_id, subject_id, count(*) from unnest($1::uuid[], $5::uuid[]) as event (partner_id, subject_id)
     group by partner_id, subject_id order by partner_id, subject_id
    on conflict (partner_id, subject_id) do update set number = counted.number + excluded.number
    returning partner_id, subject_id, number
)
insert into events (partner_id, event_id, happened_at, type, subject_id, sequence, body)
select event.partner_id, event.event_id, event.happened_at, event.type, event.subject_id, counted.number - event.after, event.body
  from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::smallint[], $5::uuid[], $6::bigint[], $7::bytea[])
        as event (partner_id, event_id, happened_at, type, subject_id, after, body)
  join counted on counted.partner_id = event.partner_id and counted.subject_id = event.subject_id
