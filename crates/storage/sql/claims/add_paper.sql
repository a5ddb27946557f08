-- No row: its papers would be too large together, or it takes none any more (from 5, PAID, on).
update claims set paper_bytes = paper_bytes + $1
 where partner_id = $2 and claim_id = $3 and paper_bytes + $1 <= $4 and state <= 4
