-- Undelivered events of the types that the endpoint asks for, sent after new ones. Type 31 is a ping, which belongs to
-- its endpoint alone.
insert into deliveries (partner_id, endpoint_id, event_id, due_at, is_again)
select e.partner_id, w.endpoint_id, e.event_id, $1, 1
  from events e join webhook_subscriptions w on w.partner_id = e.partner_id and w.type in (0, e.type)
 where e.partner_id = $2 and w.endpoint_id = $3 and e.event_id >= $4 and e.type <> 31
   and not exists (select 1 from deliveries d where d.partner_id = e.partner_id and d.endpoint_id = w.endpoint_id
                      and d.event_id = e.event_id and d.state in (1, 2))
 order by e.event_id limit $5
on conflict (partner_id, endpoint_id, event_id)
    do update set state = 1, due_at = excluded.due_at, is_again = 1, tries = 0, owner = null
