insert into proposals (partner_id, proposal_id, status, created_at, changed_at, body, quote_id) values ($1, $2, $3, $4, $5, $6, $7)
