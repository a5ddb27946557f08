-- A job with a holder is already being done.
update jobs set due_at = $1 where partner_id = $2 and owner is null and due_at > $3
