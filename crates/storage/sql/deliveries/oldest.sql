-- 1 is pending. The index has those that are not delivered.
select event_id from deliveries where state = 1 and state <> 2 order by event_id limit 1
