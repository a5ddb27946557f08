select partner_id, policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line from visible_policies
 where partner_id = $1 and policy_id = $2
