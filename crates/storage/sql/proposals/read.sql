select partner_id, proposal_id, line, created_at, session_id, insurer_reference, status, changed_at, reason, body from visible_proposals
 where partner_id = $1 and proposal_id = $2 and line = $3
