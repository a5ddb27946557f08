-- Lines of a receipt for a proposal, and of its reversals: the entries 3 (receipt), 18 (difference) and 19 (reversal).
select entry, debit, credit, amount from ledger
 where partner_id = $1 and proposal_id = $2 and upper(reference) in ($3, $4, $5) and entry in (3, 18, 19) order by number
