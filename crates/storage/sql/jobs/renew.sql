update jobs set due_at = $1 where owner = $2
