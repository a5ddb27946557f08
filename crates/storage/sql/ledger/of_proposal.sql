select posted_at, entry, debit, credit, amount, reference, sealed from ledger
 where partner_id = $1 and proposal_id = $2 order by number
