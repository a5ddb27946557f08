-- The import can then neither continue nor end.
update imports set renewed_at = 0 where import_id = $1
