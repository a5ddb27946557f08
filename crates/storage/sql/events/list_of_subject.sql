-- The bounds are negated so that SQLite uses the index of subjects, not that of ids. 2 is delivered. The planner runs a
-- scalar subquery for each row, but may run `exists` as one pass over all.
select partner_id, event_id, happened_at, type as kind, subject_id, sequence, body from events
 where partner_id = $1 and not event_id < $2 and not event_id >= $3 and subject_id = $4 and type = coalesce($5, type)
   and (cast($6 as boolean) is null or cast($6 as boolean) = ((
        select 1 from deliveries d where d.partner_id = $1 and d.event_id = events.event_id and d.state <> 2 limit 1) is not null))
 order by sequence desc limit $7
