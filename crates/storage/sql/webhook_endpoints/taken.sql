update webhook_endpoints set failures = 0, failing_since = null, rests_until = null
 where partner_id = $1 and endpoint_id = $2 and failures > 0
