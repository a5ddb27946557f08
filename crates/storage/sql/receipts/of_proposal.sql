select receipt.reference, receipt.sealed, receipt.told_at, receipt.told_by, line.amount, line.outcome, receipt.received_on
  from receipt_lines as line
  join receipts as receipt on receipt.partner_id = line.partner_id and receipt.reference = line.reference
 where line.partner_id = $1 and line.proposal_id = $2 order by receipt.told_at, line.reference
