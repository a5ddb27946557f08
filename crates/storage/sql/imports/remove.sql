delete from imports where import_id = $1
