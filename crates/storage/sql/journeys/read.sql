select partner_id, journey_id, token_id, cookie_hash, seen_at, version, body from journeys where cookie_hash = $1
