-- Each line of a receipt: whether its receipt and its premium exist.
select proposal_id, outcome,
       exists (select 1 from receipts where receipts.partner_id = line.partner_id and receipts.reference = line.reference),
       exists (select 1 from premiums where premiums.partner_id = line.partner_id and premiums.proposal_id = line.proposal_id)
  from receipt_lines as line
