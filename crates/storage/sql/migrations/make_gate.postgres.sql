-- Row 0 is no migration: who holds it brings the schema up, and others wait.
insert into migrations (number, name, applied_at) values (0, 'gate', 0) on conflict (number) do nothing
