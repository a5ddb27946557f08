-- 0 marks the import as abandoned: imports/renew and imports/end then change no row.
update imports set renewed_at = 0 where import_id = $1
