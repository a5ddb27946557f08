-- Without `indexed by`, SQLite reads deliveries in all states by the primary key. State 2 is delivered: `state <> 2` is
-- the condition of the partial index.
select partner_id, endpoint_id, event_id, state, due_at, tries, body, lease from deliveries indexed by deliveries_by_state
 where partner_id = $1 and endpoint_id = $2 and event_id < $3 and state = $4 and state <> 2
 order by event_id desc limit $5
