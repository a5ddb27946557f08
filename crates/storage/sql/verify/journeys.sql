select journey_id, seen_at, body from journeys
