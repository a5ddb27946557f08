-- Amount of a proposal's payment with a bank reference. It is null if there is no such payment. `reference` is a hash
-- by one of two keys ($4, $5), or the reference in clear text in an old row ($6).
select cast(sum(amount) as bigint) from ledger where partner_id = $1 and proposal_id = $2 and entry = $3 and upper(reference) in ($4, $5, $6)
