insert into day_counts (partner_id, kind, day, number) values ($1, $2, $3, 1)
on conflict (partner_id, kind, day) do update set number = number + 1
