insert into deliveries (partner_id, endpoint_id, event_id, due_at) values ($1, $2, $3, $4)
on conflict (partner_id, endpoint_id, event_id)
    do update set state = 1, due_at = excluded.due_at, is_again = 0, tries = 0, owner = null
