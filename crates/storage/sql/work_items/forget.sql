delete from work_items where task in (select task from work_items where changed_at < $1 limit $2)
