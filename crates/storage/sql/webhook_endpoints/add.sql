insert into webhook_endpoints (partner_id, endpoint_id, created_at, state, version, body, failures, failing_since, rests_until)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
