-- Those that somebody holds are at work already.
update jobs set due_at = $1 where partner_id = $2 and owner is null and due_at > $3
