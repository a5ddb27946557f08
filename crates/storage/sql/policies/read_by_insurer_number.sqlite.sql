-- The index has the order as well: of many policies under one number no more than one is looked at.
select policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line from policies
 where partner_id = $1 and line = $2 and insurer_number = $3
 order by issued_at desc, policy_id desc limit 1
