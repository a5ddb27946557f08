delete from deliveries where rowid in (
    select rowid from deliveries where partner_id = $1 and event_id < $2 order by event_id limit $3)
