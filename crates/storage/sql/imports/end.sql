delete from imports where import_id = $1 and renewed_at > 0
