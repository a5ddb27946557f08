-- migrations/is_store.sql: whether the tables are there that every store has from its first moment on.
select count(*) = 3 from sqlite_schema where type = 'table' and name in ('migrations', 'keys', 'catalogues')
