select import_id from imports where renewed_at < $1
