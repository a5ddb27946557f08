-- If the record already has a job of this kind, that job stays unchanged.
insert into jobs (partner_id, kind, subject_id, due_at) values ($1, $2, $3, $4)
on conflict (partner_id, kind, subject_id) do nothing
