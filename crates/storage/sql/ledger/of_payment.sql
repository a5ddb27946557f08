-- A payment into or out of a deposit belongs to no partner, so $1 is the zero id. `reference` is a hash by one of two
-- keys ($4, $5), or the reference in clear text in an old row ($6).
select entry, amount from ledger
 where partner_id = $1 and insurer_id = $2 and deposit = $3 and upper(reference) in ($4, $5, $6) and proposal_id is null
