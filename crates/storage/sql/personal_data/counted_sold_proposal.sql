select partner_id, line, created_at, session_id, proposal_id from visible_proposals where partner_id = $1 and proposal_id = (select proposal_id from policies where partner_id = $1 and policy_id = $2)
