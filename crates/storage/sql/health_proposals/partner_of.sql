select partner_id from health_proposals where proposal_id = $1
