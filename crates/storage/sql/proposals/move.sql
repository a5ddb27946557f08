-- If no row changed, another request has changed the status first, and this status change is lost (D28).
update proposals set status = $1, changed_at = $2, reason = $3
 where partner_id = $4 and proposal_id = $5 and line = $6 and status = $7
