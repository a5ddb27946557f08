delete from deliveries where partner_id = $1 and event_id < $2 and (endpoint_id, event_id) in (
    select endpoint_id, event_id from deliveries where partner_id = $1 and event_id < $2 order by event_id limit $3)
