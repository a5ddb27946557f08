select status, created_at, changed_at, body from proposals where partner_id = $1 and proposal_id = $2
