select to_regclass('pg_dist_partition') is not null
