update imports set renewed_at = $1 where import_id = $2 and renewed_at > 0
