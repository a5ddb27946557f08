select event_id from events
 where not exists (select 1 from event_counts as counted where counted.partner_id = events.partner_id
                    and counted.subject_id = events.subject_id)
