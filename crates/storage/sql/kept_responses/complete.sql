update kept_responses set body = $1 where partner_id = $2 and idempotency_key = $3 and kept_at = $4
