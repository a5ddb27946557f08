-- The oldest event with a pending delivery (state 1), for each enabled endpoint (state 1). With `d.state <> 2`
-- (delivered), the planner can use the partial index `deliveries_by_state`.
select (select d.event_id from deliveries d
         where d.partner_id = e.partner_id and d.endpoint_id = e.endpoint_id and d.state = 1 and d.state <> 2
         order by d.event_id limit 1)
  from webhook_endpoints e where e.state = 1 and e.partner_id not in (select partner_id from partners where is_test)
