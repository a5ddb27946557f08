-- It belongs to no partner, so $1 is 0.
select entry, amount from ledger
 where partner_id = $1 and insurer_id = $2 and deposit = $3 and upper(reference) in ($4, $5, $6) and proposal_id is null
