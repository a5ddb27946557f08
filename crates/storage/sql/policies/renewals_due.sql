-- State 1 is ISSUED. A renewed or cancelled policy is not due. `renewable_until >= $6` comes last, because SQLite
-- numbers parameters by their first occurrence.
select partner_id, policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line from visible_policies
 where partner_id = $1 and renewable_until is not null and state = 1 and last_day between $2 and $3
   and (last_day, policy_id) > ($4, $5) and renewable_until >= $6
 order by last_day, policy_id limit $7
