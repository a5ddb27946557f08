-- A record has at most one job of each kind. If it has one, that one stays.
insert into jobs (partner_id, kind, subject_id, due_at) values ($1, $2, $3, $4)
on conflict (partner_id, kind, subject_id) do nothing
