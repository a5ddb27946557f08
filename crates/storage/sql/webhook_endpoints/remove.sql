delete from webhook_endpoints where partner_id = $1 and endpoint_id = $2
