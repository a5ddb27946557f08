select partner_id, proposal_id, number, insurer_number, check_code, body
  from policies where check_code = $1
