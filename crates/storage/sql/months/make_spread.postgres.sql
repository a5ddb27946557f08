-- months/make_spread.postgres.sql: a month's partition on every node. It is refused while the partition of the rest has something of the month,
-- which then stays there.
create table {partition} partition of {table} for values from ('{first}') to ('{end}')
