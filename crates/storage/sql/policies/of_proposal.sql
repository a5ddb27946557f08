select proposal_id, policy_id from visible_policies where partner_id = $1 and proposal_id = $2
