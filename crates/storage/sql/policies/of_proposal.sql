select proposal_id, policy_id from policies where partner_id = $1 and proposal_id = $2
