select partner_id, complaint_id, created_at, policy_id, answer_by, answered_on, body from complaints where complaint_id = $1
