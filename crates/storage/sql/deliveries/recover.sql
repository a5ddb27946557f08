-- Makes deliveries of events due that the endpoint subscribes to and has not accepted. A delivery in state 1 (pending)
-- or 2 (delivered) stays as it is. Subscription type 0 stands for all types. Event type 31 is a test event
-- (endpoint.ping), which belongs to a single endpoint. `is_again` 1 puts the deliveries into the endpoint's queue for
-- repeated attempts.
insert into deliveries (partner_id, endpoint_id, event_id, due_at, is_again)
select e.partner_id, w.endpoint_id, e.event_id, $1, 1
  from events e join webhook_subscriptions w on w.partner_id = e.partner_id and w.type in (0, e.type)
 where e.partner_id = $2 and w.endpoint_id = $3 and e.event_id >= $4 and e.type <> 31
   and not exists (select 1 from deliveries d where d.partner_id = e.partner_id and d.endpoint_id = w.endpoint_id
                      and d.event_id = e.event_id and d.state in (1, 2))
 order by e.event_id limit $5
on conflict (partner_id, endpoint_id, event_id)
    do update set state = 1, due_at = excluded.due_at, is_again = 1, tries = 0, owner = null
