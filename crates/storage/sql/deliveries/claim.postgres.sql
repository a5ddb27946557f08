with due as (
    select partner_id, endpoint_id, event_id from deliveries
     where partner_id = $3 and endpoint_id = $4 and is_again = $5 and due_at <= $6 order by due_at limit $7 for update skip locked
)
update deliveries d set due_at = $1, owner = $2, lease = d.lease + 1 from due
 where d.partner_id = $3 and d.endpoint_id = due.endpoint_id and d.event_id = due.event_id
returning d.partner_id, d.endpoint_id, d.event_id, d.state, d.due_at, d.tries, d.body, d.lease
