select type from webhook_subscriptions where partner_id = $1 and endpoint_id = $2
