-- If no row comes back, the papers would be too large together, or the claim is PAID (5) or later and takes none.
update claims set paper_bytes = paper_bytes + $1
 where partner_id = $2 and claim_id = $3 and paper_bytes + $1 <= $4 and state <= 4
