-- A job with an owner is already running, so it stays unchanged.
update jobs set due_at = $1 where partner_id = $2 and owner is null and due_at > $3
