select entry, amount from ledger
 where insurer_id = $1 and deposit = $2 and reference = $3 and proposal_id is null
