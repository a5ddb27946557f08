insert into policies (partner_id, proposal_id, policy_id, number, insurer_number, check_code, body, certificate)
values ($1, $2, $3, $4, $5, $6, $7, $8)
