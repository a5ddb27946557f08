update deliveries set due_at = $1, owner = $2, lease = lease + 1
 where rowid in (
    select rowid from deliveries where endpoint_id = $3 and is_again = $4 and due_at <= $5 order by due_at limit $6)
returning partner_id, endpoint_id, event_id, state, due_at, tries, body, lease
