-- A payment with a reference, under any of its hashes or the reference itself, in any letter case.
select 1 from receipts where partner_id = $1 and upper(reference) in ($2, $3, $4) limit 1
