-- If no row changed, the worker has lost its lease on the delivery.
update deliveries set state = $1, due_at = $2, is_again = 1, tries = $3, body = $4, owner = null
 where partner_id = $5 and endpoint_id = $6 and event_id = $7 and owner = $8 and lease = $9
