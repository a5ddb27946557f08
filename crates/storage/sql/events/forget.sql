delete from events
 where partner_id = $1 and event_id in (
    select event_id from events where partner_id = $2 and event_id < $3 order by event_id limit $4)
