select partner_id, endpoint_id, event_id, state, due_at, tries, body, lease from deliveries
 where partner_id = $1 and endpoint_id = $2 and event_id < $3 and state = coalesce($4, state)
 order by event_id desc limit $5
