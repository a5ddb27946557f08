-- months/make.postgres.sql: a month's partition, with what the partition of the rest has of it already. The parent is not
-- locked against those who read and write; they wait where they need the rest, until this commits.
lock table {table}_other in access exclusive mode;
create table {partition} (like {table} including all);
with moved as (
    delete from {table}_other where {key} >= '{first}' and {key} < '{end}' returning *
)
insert into {partition} select * from moved;
alter table {table} attach partition {partition} for values from ('{first}') to ('{end}')
