update jobs set due_at = due_at - $1 where owner is null and due_at > $2 returning 1
