-- A payment of a reference, under any hash that it may have or under itself, perhaps in another case.
select 1 from receipts where partner_id = $1 and upper(reference) in ($2, $3, $4) limit 1
