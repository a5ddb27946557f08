-- Citus creates the partition on every node. If the partition for the rest has rows of the month, the statement fails.
-- The rows then stay there.
create table {partition} partition of {table} for values from ('{first}') to ('{end}')
