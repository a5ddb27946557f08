delete from receipts where partner_id = $1 and upper(reference) in ($2, $3, $4)
