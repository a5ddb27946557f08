-- Jobs of one owner, or of all.
update jobs set owner = null, due_at = $1 where owner = coalesce($2, owner)
