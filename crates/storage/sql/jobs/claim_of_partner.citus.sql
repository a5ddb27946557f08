-- Claims jobs of one partner, on its node. What another one has is skipped.
with due as (
    select kind, subject_id from jobs
     where partner_id = $4 and due_at <= $3 and (kind, subject_id) in (select * from unnest($5::smallint[], $6::uuid[]))
       for update skip locked
)
update jobs set owner = $1, due_at = $2, attempt = attempt + 1
  from due
 where jobs.partner_id = $4 and jobs.kind = due.kind and jobs.subject_id = due.subject_id and jobs.due_at <= $3
returning jobs.partner_id, jobs.kind, jobs.subject_id, attempt, faults, step
