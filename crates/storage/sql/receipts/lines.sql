select proposal_id, amount, outcome from receipt_lines where partner_id = $1 and reference = $2 order by proposal_id
