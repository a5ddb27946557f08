select body from claim_parts where partner_id = $1 and paper_id = $2 and number = $3
