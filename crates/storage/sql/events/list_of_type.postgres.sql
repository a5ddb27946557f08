-- If $5 is null, all events match. If true: only events with a delivery in another state than 2 (delivered). If false:
-- only the others. The scalar subquery is evaluated row by row up to the limit. With `exists`, the planner may read all
-- deliveries first.
select partner_id, event_id, happened_at, type as kind, subject_id, sequence, body from events
 where partner_id = $1 and event_id >= $2 and event_id < $3 and type = $4
   and (cast($5 as boolean) is null or cast($5 as boolean) = ((
        select 1 from deliveries d where d.partner_id = $1 and d.event_id = events.event_id and d.state <> 2 limit 1) is not null))
 order by event_id desc limit $6
