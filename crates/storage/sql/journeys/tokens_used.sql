select token_id from journeys where seen_at >= $1
