-- Partitions of the months, without the partition for the rest (`_other`).
select child.relname::text from pg_inherits
  join pg_class child on child.oid = inhrelid
 where inhparent = to_regclass($1) and child.relname <> $1 || '_other'
