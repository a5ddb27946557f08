update jobs set owner = null, due_at = $1 where owner = $2
