select partner_id, endpoint_id, created_at, state, version, failures, failing_since, rests_until, body from webhook_endpoints
 where partner_id = $1 order by endpoint_id
