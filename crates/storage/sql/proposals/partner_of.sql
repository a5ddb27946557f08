select partner_id from proposals where proposal_id = $1
