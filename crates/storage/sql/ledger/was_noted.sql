-- Whether a payment was noted for a proposal under this reference.
select 1 from ledger where partner_id = $1 and proposal_id = $2 and entry = $3 and reference = $4 limit 1
