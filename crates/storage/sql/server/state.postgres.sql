-- `pg_stat_database` shows the number of sessions even to a user who may not see the sessions of other users.
select cast(extract(epoch from clock_timestamp()) * 1000000 as bigint),
       (select sum(numbackends)::bigint from pg_stat_database), current_setting('max_connections')::bigint
