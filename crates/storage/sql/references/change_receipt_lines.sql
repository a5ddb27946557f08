update receipt_lines set reference = $1 where partner_id = $2 and reference = $3
