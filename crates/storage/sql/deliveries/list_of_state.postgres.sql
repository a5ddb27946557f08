-- State 2 is delivered. With `state <> 2`, PostgreSQL can use the partial index `deliveries_by_state`.
select partner_id, endpoint_id, event_id, state, due_at, tries, body, lease from deliveries
 where partner_id = $1 and endpoint_id = $2 and event_id < $3 and state = $4 and state <> 2
 order by event_id desc limit $5
