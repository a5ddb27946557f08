select record_id, record, held_at, held_by, reason from holds order by held_at desc, record_id
