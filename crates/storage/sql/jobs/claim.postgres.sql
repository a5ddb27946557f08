-- The end of the lease is when the job would be due again. Two who claim at once skip what the other has; were they not
-- to, the condition on `due_at` is judged again on the row as it is then, and one of them gets nothing.
with due as materialized (
    select partner_id, kind, subject_id from jobs where due_at <= $3 order by due_at limit $4 for update skip locked
)
update jobs set owner = $1, due_at = $2, attempt = attempt + 1
  from due
 where jobs.partner_id = due.partner_id and jobs.kind = due.kind and jobs.subject_id = due.subject_id and jobs.due_at <= $3
returning jobs.partner_id, jobs.kind, jobs.subject_id, attempt, faults, step
