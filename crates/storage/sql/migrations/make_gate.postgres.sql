-- Row 0 is not a migration. A process locks this row before it migrates the schema, and other processes wait for the
-- lock.
insert into migrations (number, name, applied_at) values (0, 'gate', 0) on conflict (number) do nothing
