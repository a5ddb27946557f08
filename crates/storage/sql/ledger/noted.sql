-- What was noted of a payment for a proposal under this reference; null where nothing was.
select cast(sum(amount) as bigint) from ledger where partner_id = $1 and proposal_id = $2 and entry = $3 and upper(reference) in ($4, $5, $6)
