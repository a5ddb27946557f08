-- Its import can then neither go on nor end.
update imports set renewed_at = 0 where import_id = $1
