select kept_at, body from answers where partner_id = $1 and answer_key = $2 and kept_at >= $3
