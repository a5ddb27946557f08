select task, changed_at, version, body from work_items order by changed_at desc, task limit $1
