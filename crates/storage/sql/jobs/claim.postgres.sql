-- `owners` steps from partner to partner by the index, however many jobs one has. The end of the lease is when the job would be due again. Two who claim at once skip what the other has; were they not
-- to, the condition on `due_at` is judged again on the row as it is then, and one of them gets nothing.
with recursive owners (partner_id) as (
    (select partner_id from jobs order by partner_id limit 1)
    union all
    select (select jobs.partner_id from jobs where jobs.partner_id > owners.partner_id order by jobs.partner_id limit 1)
      from owners where owners.partner_id is not null
), held as (
    select partner_id, count(*) as jobs from jobs where owner is not null and due_at > $3 group by partner_id
), turns as (
    select due.partner_id, due.kind, due.subject_id, due.due_at,
           coalesce(held.jobs, 0) + row_number() over (partition by due.partner_id order by due.due_at) as turn
      from owners
     cross join lateral (
        select partner_id, kind, subject_id, due_at from jobs
         where jobs.partner_id = owners.partner_id and due_at <= $3 and kind = any ($5::smallint[])
         order by due_at limit $4
     ) as due
      left join held on held.partner_id = due.partner_id
     order by turn, due_at limit $4
), due as materialized (
    select jobs.partner_id, jobs.kind, jobs.subject_id
      from jobs join turns using (partner_id, kind, subject_id)
     where jobs.due_at <= $3 for update of jobs skip locked
)
update jobs set owner = $1, due_at = $2, attempt = attempt + 1
  from due
 where jobs.partner_id = due.partner_id and jobs.kind = due.kind and jobs.subject_id = due.subject_id and jobs.due_at <= $3
returning jobs.partner_id, jobs.kind, jobs.subject_id, attempt, faults, step
