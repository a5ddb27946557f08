-- State 2 is delivered. The cross join makes SQLite read the undelivered deliveries first, which are few. `distinct`,
-- because an event may have several deliveries.
select e.partner_id, e.event_id, e.happened_at, e.type as kind, e.subject_id, e.sequence, e.body from (
    select distinct event_id from deliveries
     where partner_id = $1 and event_id >= $2 and event_id < $3 and state <> 2 order by event_id desc limit $4
) as found cross join events as e
 where e.partner_id = $1 and e.event_id = found.event_id
 order by found.event_id desc
