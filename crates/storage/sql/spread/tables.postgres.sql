select logicalrelid::text from pg_dist_partition
