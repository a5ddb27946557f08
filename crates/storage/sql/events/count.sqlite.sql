-- Counts an event of a subject; its number is what comes back. The count outlives the events.
insert into event_counts (partner_id, subject_id, number) values ($1, $2, 1)
on conflict (partner_id, subject_id) do update set number = number + 1
returning number
