select cast(extract(epoch from clock_timestamp()) * 1000000 as bigint),
       (select count(*) from pg_stat_activity where backend_type = 'client backend'), current_setting('max_connections')::bigint
