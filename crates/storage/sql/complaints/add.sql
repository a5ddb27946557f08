insert into complaints (partner_id, complaint_id, created_at, policy_id, answer_by, answered_on, body)
values ($1, $2, $3, $4, $5, $6, $7)
