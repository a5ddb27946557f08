select policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body from policies
 where partner_id = $1 and policy_id = $2 and line = $3
