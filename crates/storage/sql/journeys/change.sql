-- If no row changed, another request has changed the journey since it was read.
update journeys set seen_at = $1, version = $2, body = $3
 where partner_id = $4 and journey_id = $5 and version = $6
