-- State 1 is ISSUED.
select partner_id, policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line from visible_policies
 where partner_id = $1 and state = 1 and last_day = $2 and policy_id > $3
 order by policy_id limit $4
