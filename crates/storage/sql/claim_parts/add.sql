insert into claim_parts (partner_id, paper_id, number, body) values ($1, $2, $3, $4)
