select partner_id, complaint_id, created_at, policy_id, answer_by, answered_on, body from complaints order by complaint_id desc limit $1
