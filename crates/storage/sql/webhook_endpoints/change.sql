-- The endpoint's health starts again. If no row changed, another request has changed the endpoint since it was read.
update webhook_endpoints set state = $1, version = $2, body = $3, failures = 0, failing_since = null, rests_until = null
 where partner_id = $4 and endpoint_id = $5 and version = $6
