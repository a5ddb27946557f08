update imports set renewed_at = $1 where import_id = $2
