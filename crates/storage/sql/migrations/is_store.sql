-- Whether the tables that every store has from the start exist.
select count(*) = 3 from sqlite_schema where type = 'table' and name in ('migrations', 'keys', 'catalogues')
