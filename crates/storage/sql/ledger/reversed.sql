-- Whether a payment with this reference was reversed: entry 19.
select number from ledger where partner_id = $1 and upper(reference) in ($2, $3, $4) and entry = 19 limit 1
