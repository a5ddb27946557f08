select quote_id, created_at, body, outcome from health_quotes where partner_id = $1 and quote_id = $2
