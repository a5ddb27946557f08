-- The end of the lease is when the job would be due again.
update jobs set owner = $1, due_at = $2, attempt = attempt + 1
 where (partner_id, kind, subject_id) in
    (select partner_id, kind, subject_id from jobs where due_at <= $3 order by due_at limit $4)
returning partner_id, kind, subject_id, attempt, faults, step
