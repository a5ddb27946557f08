select proposal_id, amount, outcome from receipt_lines
 where partner_id = $1
   and reference = (select reference from receipts where partner_id = $1 and upper(reference) = upper($2))
 order by proposal_id
