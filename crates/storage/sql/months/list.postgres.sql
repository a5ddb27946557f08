-- Partitions of a table without the partition of the rest.
select child.relname::text from pg_inherits
  join pg_class child on child.oid = inhrelid
 where inhparent = to_regclass($1) and child.relname <> $1 || '_other'
