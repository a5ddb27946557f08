-- These tables exist in every version of the schema. If all three exist, the database is a store.
select count(*) = 3 from sqlite_schema where type = 'table' and name in ('migrations', 'keys', 'catalogues')
