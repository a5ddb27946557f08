-- One bound each way, so that the index is entered at the place and nowhere else.
select policy_id, issued_at, session_id, number, insurer_number, body from health_policies
 where partner_id = $1 and issued_at < $2 and (issued_at, policy_id) > ($3, $4)
 order by issued_at asc, policy_id asc limit $5
