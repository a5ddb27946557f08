select partner_id, line from visible_proposals where proposal_id = $1
