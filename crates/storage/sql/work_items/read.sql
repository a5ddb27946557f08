select task, changed_at, version, body from work_items where task = $1
