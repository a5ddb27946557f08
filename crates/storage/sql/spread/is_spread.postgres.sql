select exists (select 1 from pg_dist_partition where logicalrelid = to_regclass('sessions'))
