-- Amount noted for a proposal under this reference; null if there is none.
select cast(sum(amount) as bigint) from ledger where partner_id = $1 and proposal_id = $2 and entry = $3 and upper(reference) in ($4, $5, $6)
