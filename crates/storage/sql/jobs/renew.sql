update jobs set due_at = $1
 where partner_id = $2 and kind = $3 and subject_id = $4 and owner = $5 and attempt = $6
