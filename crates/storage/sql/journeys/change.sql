-- Changes at most one row. If it changes none, the journey has another version by now.
update journeys set seen_at = $1, version = $2, body = $3
 where partner_id = $4 and journey_id = $5 and version = $6
