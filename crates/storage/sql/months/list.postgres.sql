-- months/list.postgres.sql: the partitions that a table has, but for that of what no month takes.
select child.relname::text from pg_inherits
  join pg_class child on child.oid = inhrelid
 where inhparent = to_regclass($1) and child.relname <> $1 || '_other'
