-- Type 0 stands for all types.
insert into webhook_subscriptions (partner_id, endpoint_id, type) values ($1, $2, $3)
