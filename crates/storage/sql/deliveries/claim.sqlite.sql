-- `+partner_id` keeps SQLite from reading all deliveries of the partner by the primary key. SQLite then reads only the
-- due ones, by the index `deliveries_due`.
update deliveries set due_at = $1, owner = $2, lease = lease + 1
 where rowid in (
    select rowid from deliveries
     where +partner_id = $3 and endpoint_id = $4 and is_again = $5 and due_at <= $6 order by due_at limit $7)
returning partner_id, endpoint_id, event_id, state, due_at, tries, body, lease
