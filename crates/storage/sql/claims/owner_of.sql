select partner_id from claims where claim_id = $1
