-- There is one writer, so a process needs no slot.
insert into day_counts (partner_id, kind, day, number) select $1, $2, $3, $4 where $5 is not null
on conflict (partner_id, kind, day) do update set number = number + excluded.number
