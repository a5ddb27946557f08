insert into work_items (task, changed_at, version, body) values ($1, $2, $3, $4) on conflict (task) do nothing
