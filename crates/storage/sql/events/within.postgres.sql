-- The end of an act's statement: its events, $1 to $7, each counted among those of its subject, where the act was done.
), event_counted as (
    insert into event_counts as counted (partner_id, subject_id, number)
    select event.partner_id, event.subject_id, count(*)
      from act, unnest($1::uuid[], $5::uuid[]) as event (partner_id, subject_id)
     group by event.partner_id, event.subject_id order by event.partner_id, event.subject_id
    on conflict (partner_id, subject_id) do update set number = counted.number + excluded.number
    returning partner_id, subject_id, number
), event_noted as (
    insert into events (partner_id, event_id, happened_at, type, subject_id, sequence, body)
    select event.partner_id, event_id, happened_at, type, event.subject_id, number - after, body
      from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::smallint[], $5::uuid[], $6::bigint[], $7::bytea[])
            as event (partner_id, event_id, happened_at, type, subject_id, after, body)
      join event_counted on event_counted.partner_id = event.partner_id and event_counted.subject_id = event.subject_id
), event_sent as (
    -- 31 is a ping, which is its endpoint's alone.
    insert into deliveries (partner_id, endpoint_id, event_id, due_at)
    select event.partner_id, wanted.endpoint_id, event.event_id, event.happened_at
      from act, unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::smallint[]) as event (partner_id, event_id, happened_at, type)
      join webhook_subscriptions wanted on wanted.partner_id = event.partner_id and wanted.type in (0, event.type)
     where event.type <> 31
)
select 1 from act
