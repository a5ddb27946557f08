select kept_at, body from kept_responses where partner_id = $1 and idempotency_key = $2 and kept_at >= $3
