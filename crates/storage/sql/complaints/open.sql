select partner_id, complaint_id, created_at, policy_id, answer_by, answered_on, body from complaints
 where answered_on is null order by answer_by, complaint_id limit $1
