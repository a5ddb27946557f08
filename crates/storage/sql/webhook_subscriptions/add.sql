-- Type 0 is every type.
insert into webhook_subscriptions (partner_id, endpoint_id, type) values ($1, $2, $3)
