-- Each line of a receipt: whether its receipt and its premium exist, and the account of its entry 3 (receipt) in the
-- ledger.
select proposal_id, outcome,
       exists (select 1 from receipts where receipts.partner_id = line.partner_id and receipts.reference = line.reference),
       exists (select 1 from premiums where premiums.partner_id = line.partner_id and premiums.proposal_id = line.proposal_id),
       (select credit from ledger where ledger.partner_id = line.partner_id and ledger.proposal_id = line.proposal_id
           and ledger.reference = line.reference and entry = 3 order by number desc limit 1) as credited
  from receipt_lines as line
