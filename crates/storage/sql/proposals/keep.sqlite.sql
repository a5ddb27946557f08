insert into proposals (partner_id, proposal_id, status, created_at, changed_at, body) values ($1, $2, $3, $4, $5, $6)
