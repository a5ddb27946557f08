-- A match by the insurer's number comes before a match by our number.
select partner_id, policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line from (
    select * from (select partner_id, policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line, 1 as rank from visible_policies
                    where partner_id = $1 and line = $2 and insurer_number = $3 order by issued_at desc, policy_id desc limit 1) as theirs
    union all
    select partner_id, policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line, 2 as rank from visible_policies
     where partner_id = $1 and line = $2 and number = $3
) as found order by rank limit 1
