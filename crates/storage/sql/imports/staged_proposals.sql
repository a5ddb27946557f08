select partner_id, proposal_id, line, created_at, session_id from proposals where import_id = $1 limit $2
