-- The end of an act's statements where tables are spread: its events, $1 to $7, each counted among those of its subject. All are of
-- the act's partner, $8.
insert into event_counts as counted (partner_id, subject_id, number)
select subject.partner_id, event.subject_id, count(*) from {subject}, unnest($5::uuid[]) as event (subject_id)
 group by subject.partner_id, event.subject_id
on conflict (partner_id, subject_id) do update set number = counted.number + excluded.number;

insert into events (partner_id, event_id, happened_at, type, subject_id, sequence, body)
select counted.partner_id, event_id, happened_at, type, event.subject_id, number - after, body
  from event_counts as counted
  join unnest($2::uuid[], $3::bigint[], $4::smallint[], $5::uuid[], $6::bigint[], $7::bytea[])
        as event (event_id, happened_at, type, subject_id, after, body) on counted.subject_id = event.subject_id
 where counted.partner_id = $8;

-- 31 is a ping, which is its endpoint's alone.
insert into deliveries (partner_id, endpoint_id, event_id, due_at)
select wanted.partner_id, wanted.endpoint_id, event.event_id, event.happened_at
  from webhook_subscriptions as wanted
  join unnest($2::uuid[], $3::bigint[], $4::smallint[]) as event (event_id, happened_at, type) on wanted.type in (0, event.type)
 where wanted.partner_id = $8 and event.type <> 31;
