-- A partner's policies with a number of ours or of their insurer. Many policies may have the same insurer's number. So
-- each line (1 credit life, 2 health) has its own limit, and an index gives the order within the line.
select partner_id, policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line from (
    select partner_id, policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line from visible_policies
     where partner_id = $1 and number = $2
    union all
    select * from (select partner_id, policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line from visible_policies
                    where partner_id = $1 and line = 1 and insurer_number = $2 order by issued_at desc, policy_id desc limit $3) as credit
    union all
    select * from (select partner_id, policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line from visible_policies
                    where partner_id = $1 and line = 2 and insurer_number = $2 order by issued_at desc, policy_id desc limit $3) as health
) as found
 order by issued_at desc, policy_id desc limit $3
