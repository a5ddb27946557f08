insert into event_counts (partner_id, subject_id, number) values ($1, $2, 1)
on conflict (partner_id, subject_id) do update set number = event_counts.number + 1
