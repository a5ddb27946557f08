delete from deliveries d
 using (select partner_id, endpoint_id, event_id from deliveries where partner_id = $1 and event_id < $2 order by event_id limit $3) old
 where d.partner_id = $1 and d.endpoint_id = old.endpoint_id and d.event_id = old.event_id
