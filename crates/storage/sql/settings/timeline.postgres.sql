select system_identifier, pg_walfile_name(pg_current_wal_lsn()) from pg_control_system()
