-- Creates a month's partition on every node. It fails if the partition of the rest has rows of the month; they then
-- stay there.
create table {partition} partition of {table} for values from ('{first}') to ('{end}')
