-- Creates a month's partition, and moves the month's rows from the partition for the rest into it. Only readers and
-- writers that need the partition for the rest wait until the transaction commits.
lock table {table}_other in access exclusive mode;
create table {partition} (like {table} including all);
with moved as (
    delete from {table}_other where {key} >= '{first}' and {key} < '{end}' returning *
)
insert into {partition} select * from moved;
alter table {table} attach partition {partition} for values from ('{first}') to ('{end}')
