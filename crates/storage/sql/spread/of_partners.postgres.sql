-- Partitions are left out, because each is spread with its table.
select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid
 where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   and a.attname = 'partner_id' and not a.attisdropped
