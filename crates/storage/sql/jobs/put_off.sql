-- If no row changed, the worker has lost its lease on the job.
update jobs set owner = null, due_at = $1, step = $2, faults = $3
 where partner_id = $4 and kind = $5 and subject_id = $6 and owner = $7 and attempt = $8
