-- If no row comes back, another worker has claimed the job.
update jobs set owner = $1, due_at = $2, attempt = attempt + 1
 where partner_id = $3 and kind = $4 and subject_id = $5 and due_at <= $6
returning partner_id, kind, subject_id, attempt, faults, step
