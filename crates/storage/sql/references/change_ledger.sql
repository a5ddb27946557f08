update ledger set reference = $1, sealed = $2 where partner_id = $3 and reference = $4
