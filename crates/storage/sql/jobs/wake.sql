-- Begins a job that is due, or makes the one there is due again: whoever works on it has lost it, and its end is not its
-- end.
insert into jobs (partner_id, kind, subject_id, due_at) values ($1, $2, $3, $4)
on conflict (partner_id, kind, subject_id) do update set due_at = excluded.due_at, owner = null
