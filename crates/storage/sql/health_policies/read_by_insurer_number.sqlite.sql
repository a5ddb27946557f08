-- The index has the order as well: of many policies under one number no more than one is looked at.
select policy_id, issued_at, session_id, number, insurer_number, body from health_policies
 where partner_id = $1 and insurer_number = $2
 order by issued_at desc, policy_id desc limit 1
