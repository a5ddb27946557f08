-- months/drop.postgres.sql: a month with all that it has. Everybody who uses the table waits for this, at most a second before it
-- is given up, and then for no longer than the removal of its files takes.
drop table {partition}
