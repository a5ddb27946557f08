-- If $2 is null, the jobs of all owners are handed back.
update jobs set owner = null, due_at = $1 where owner = coalesce($2, owner)
