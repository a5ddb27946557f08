select coalesce(pg_is_in_recovery() and now() - pg_last_xact_replay_timestamp() < interval '5 seconds', false)
