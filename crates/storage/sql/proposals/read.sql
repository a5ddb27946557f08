select proposal_id, created_at, changed_at, status, session_id, insurer_reference, reason, body from visible_proposals
 where partner_id = $1 and proposal_id = $2 and line = $3
