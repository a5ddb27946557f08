insert into session_counts (partner_id, session_id, kind, number) values ($1, $2, $3, 1)
on conflict (partner_id, session_id, kind) do update set number = number + 1
