insert into day_counts as counted (partner_id, kind, day, number, slot) values ($1, $2, $3, $4, $5)
on conflict (partner_id, kind, day, slot) do update set number = counted.number + excluded.number
