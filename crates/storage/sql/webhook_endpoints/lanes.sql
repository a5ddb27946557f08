-- State 1 is enabled. `first_due`: due time of the earliest delivery that was never attempted. `again_due`: due time of
-- the earliest delivery that is attempted again (`is_again` 1).
select e.partner_id, e.endpoint_id, e.created_at, e.state, e.version, e.failures, e.failing_since, e.rests_until, e.body,
       (select d.due_at from deliveries d where d.partner_id = e.partner_id and d.endpoint_id = e.endpoint_id and d.is_again = 0
           and d.due_at is not null order by d.due_at limit 1) as first_due,
       (select d.due_at from deliveries d where d.partner_id = e.partner_id and d.endpoint_id = e.endpoint_id and d.is_again = 1
           and d.due_at is not null order by d.due_at limit 1) as again_due
  from webhook_endpoints e
 where e.state = 1 and coalesce(e.rests_until, 0) <= $1
   and exists (select 1 from deliveries d
                where d.partner_id = e.partner_id and d.endpoint_id = e.endpoint_id and d.due_at is not null)
