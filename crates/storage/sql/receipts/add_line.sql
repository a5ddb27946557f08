insert into receipt_lines (partner_id, reference, proposal_id, amount, outcome) values ($1, $2, $3, $4, $5)
