-- Endpoints with deliveries to be sent: the next endpoint is looked up from the one before, so that a long queue costs as much as a
-- short one.
with recursive lane (endpoint_id) as (
    select (select endpoint_id from deliveries where due_at is not null order by endpoint_id limit 1)
    union all
    select (select d.endpoint_id from deliveries d where d.due_at is not null and d.endpoint_id > lane.endpoint_id
             order by d.endpoint_id limit 1)
      from lane where lane.endpoint_id is not null
)
select e.partner_id, e.endpoint_id, e.created_at, e.state, e.version, e.failures, e.failing_since, e.rests_until, e.body,
       (select d.due_at from deliveries d where d.endpoint_id = e.endpoint_id and d.is_again = 0 and d.due_at is not null
         order by d.due_at limit 1),
       (select d.due_at from deliveries d where d.endpoint_id = e.endpoint_id and d.is_again = 1 and d.due_at is not null
         order by d.due_at limit 1)
  from lane join webhook_endpoints e on e.endpoint_id = lane.endpoint_id
 where e.state = 1 and coalesce(e.rests_until, 0) <= $1
