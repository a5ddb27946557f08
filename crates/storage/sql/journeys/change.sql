-- Changes one row or none. None: the journey is no longer in the version before.
update journeys set seen_at = $1, version = $2, body = $3
 where partner_id = $4 and journey_id = $5 and version = $6
