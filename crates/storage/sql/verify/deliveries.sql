select partner_id, endpoint_id, event_id, state, due_at, tries, body, lease from deliveries
