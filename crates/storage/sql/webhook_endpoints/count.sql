select count(*) from webhook_endpoints where partner_id = $1
