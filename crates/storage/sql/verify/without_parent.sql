-- Each row without the record to which it belongs.
select * from {table} where not exists (select 1 from {parent} where {same})
