select cookie_hash from journeys where partner_id = $1 and token_id = $2
