-- The health of the endpoint starts anew. If no row changed, another change came first.
update webhook_endpoints set state = $1, version = $2, body = $3, failures = 0, failing_since = null, rests_until = null
 where partner_id = $4 and endpoint_id = $5 and version = $6
