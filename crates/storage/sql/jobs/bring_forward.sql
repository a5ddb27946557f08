-- The holder renews its lease unless the lease is lost. No lease is as long as five minutes.
update jobs set due_at = due_at - $1 where due_at > $2 and (owner is null or due_at > $2 + 300000000) returning 1
