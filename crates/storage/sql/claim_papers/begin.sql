insert into claim_papers (partner_id, paper_id, claim_id, added_at, bytes, is_whole, body) values ($1, $2, $3, $4, $5, $6, $7)
