-- Without `indexed by`, SQLite reads by the primary key and skips events of other types. list_of_type.postgres.sql
-- explains the condition on deliveries.
select partner_id, event_id, happened_at, type as kind, subject_id, sequence, body from events indexed by events_by_type
 where partner_id = $1 and event_id >= $2 and event_id < $3 and type = $4
   and (cast($5 as boolean) is null or cast($5 as boolean) = ((
        select 1 from deliveries d where d.partner_id = $1 and d.event_id = events.event_id and d.state <> 2 limit 1) is not null))
 order by event_id desc limit $6
