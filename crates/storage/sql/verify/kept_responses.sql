select partner_id, idempotency_key, kept_at, body from kept_responses
