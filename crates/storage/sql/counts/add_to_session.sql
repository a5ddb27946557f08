insert into session_counts (partner_id, session_id, kind, number) values ($1, $2, $3, $4)
on conflict (partner_id, session_id, kind) do update set number = session_counts.number + excluded.number
