-- Without `indexed by`, SQLite reads by the primary key and skips other states. The last condition is that of the
-- index.
select partner_id, endpoint_id, event_id, state, due_at, tries, body, lease from deliveries indexed by deliveries_by_state
 where partner_id = $1 and endpoint_id = $2 and event_id < $3 and state = $4 and state <> 2
 order by event_id desc limit $5
