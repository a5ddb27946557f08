select min(due_at) from jobs
