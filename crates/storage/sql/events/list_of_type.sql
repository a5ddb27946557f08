select event_id, happened_at, type, subject_id, sequence, body from events
 where partner_id = $1 and event_id >= $2 and event_id < $3 and type = $4
 order by event_id desc limit $5
