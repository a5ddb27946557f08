-- Creates a month's partition with the rows that the partition of the rest has of it. Readers and writers of the parent
-- are not blocked. Those that need the rest wait until this commits.
lock table {table}_other in access exclusive mode;
create table {partition} (like {table} including all);
with moved as (
    delete from {table}_other where {key} >= '{first}' and {key} < '{end}' returning *
)
insert into {partition} select * from moved;
alter table {table} attach partition {partition} for values from ('{first}') to ('{end}')
