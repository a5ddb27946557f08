select partner_id, line, created_at, session_id from proposals where partner_id = $1 and proposal_id = $2
