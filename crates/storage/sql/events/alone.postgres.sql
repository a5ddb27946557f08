-- Events of a transaction of several statements: its last one. `events/within.postgres.sql` follows.
with act as (
    select 1
