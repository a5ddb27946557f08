-- Makes deliveries due earlier that a fast clock had put off. If a worker holds a delivery, `due_at` is the end of the
-- worker's lease, which the worker renews. A lease is shorter than five minutes (300,000,000 microseconds), so a later
-- end was set by the fast clock.
update deliveries set due_at = due_at - $1 where due_at > $2 and (owner is null or due_at > $2 + 300000000) returning 1
