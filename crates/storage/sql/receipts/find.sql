-- `reference` is a hash by one of two keys ($2, $3), or the reference in clear text in an old row ($4). Letter case
-- does not matter.
select 1 from receipts where partner_id = $1 and upper(reference) in ($2, $3, $4) limit 1
