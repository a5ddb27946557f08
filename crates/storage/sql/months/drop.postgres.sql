-- Drops a month's partition with its rows. The statement waits at most one second for the lock (`lock_timeout`). Later
-- statements on the table wait during that time, and until the partition's files are removed.
drop table {partition}
