-- Adds a job that is due, or makes the existing one due. A worker that holds it loses its lease, so it cannot end the
-- job.
insert into jobs (partner_id, kind, subject_id, due_at) values ($1, $2, $3, $4)
on conflict (partner_id, kind, subject_id) do update set due_at = excluded.due_at, owner = null
