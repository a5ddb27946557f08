select policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line, partner_id from policies
 where partner_id = any ($1) and (number = $2 or line in (1, 2) and insurer_number = $2)
 order by issued_at desc, policy_id desc limit $3
