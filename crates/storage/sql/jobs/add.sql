-- A record has one job of a kind at a time: adding it again leaves the one there is.
insert into jobs (partner_id, kind, subject_id, due_at) values ($1, $2, $3, $4)
on conflict (partner_id, kind, subject_id) do nothing
