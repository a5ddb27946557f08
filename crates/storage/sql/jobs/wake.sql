-- Adds a due job, or makes the existing job due. If a worker holds the existing job, the worker loses its lease and
-- cannot end the job.
insert into jobs (partner_id, kind, subject_id, due_at) values ($1, $2, $3, $4)
on conflict (partner_id, kind, subject_id) do update set due_at = excluded.due_at, owner = null
