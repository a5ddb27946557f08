-- The oldest event that waits for each endpoint. 1 is pending; the last condition is that of the index.
select (select d.event_id from deliveries d
         where d.partner_id = e.partner_id and d.endpoint_id = e.endpoint_id and d.state = 1 and d.state <> 2
         order by d.event_id limit 1)
  from webhook_endpoints e
