delete from receipt_lines
 where partner_id = $1 and reference in (select reference from receipts where partner_id = $1 and upper(reference) in ($2, $3, $4))
