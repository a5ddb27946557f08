update work_items set changed_at = $1, version = $2, body = $3 where task = $4 and version = $2 - 1
