select event_id, happened_at, type, subject_id, sequence, body from events
 where partner_id = $1 and event_id >= $2 and event_id < $3 and subject_id = $4 and type = coalesce($5, type)
 order by sequence desc limit $6
