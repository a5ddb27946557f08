-- If no row is inserted, another import has not ended.
insert into imports (import_id, renewed_at) select $1, $2 where not exists (select 1 from imports)
