-- Row 0 is not a migration: the process that locks it migrates the schema, and others wait.
insert into migrations (number, name, applied_at) values (0, 'gate', 0) on conflict (number) do nothing
