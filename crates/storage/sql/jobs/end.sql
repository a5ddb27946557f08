-- If no row is deleted, the worker has lost its lease on the job.
delete from jobs where partner_id = $1 and kind = $2 and subject_id = $3 and owner = $4 and attempt = $5
