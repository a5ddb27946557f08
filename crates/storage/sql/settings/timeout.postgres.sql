select cast(setting as bigint) from pg_settings where name = 'statement_timeout'
