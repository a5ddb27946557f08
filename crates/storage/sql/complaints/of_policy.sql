select partner_id, complaint_id, created_at, policy_id, answer_by, answered_on, body from complaints where partner_id = $1 and policy_id = $2 order by complaint_id desc
