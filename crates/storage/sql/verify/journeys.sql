select partner_id, journey_id, token_id, seen_at, version, body, cookie_hash from journeys
