select journey_id, seen_at, body, partner_id, token_id, version, cookie_hash from journeys
