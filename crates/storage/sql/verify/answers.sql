select partner_id, answer_key, kept_at, body from answers
