-- Adds a delivery for each endpoint that subscribes to the event's type. Type 0 stands for all types.
insert into deliveries (partner_id, endpoint_id, event_id, due_at)
select partner_id, endpoint_id, $1, $2 from webhook_subscriptions where partner_id = $3 and type in (0, $4)
