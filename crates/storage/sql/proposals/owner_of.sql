select partner_id, line from proposals where proposal_id = $1
