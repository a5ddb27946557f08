-- States up to 4 are open: INTIMATED, UNDER_ASSESSMENT, UNDER_INVESTIGATION, APPROVED. If no row changed, the documents
-- would have more than $4 bytes together, or the claim is no longer open.
update claims set paper_bytes = paper_bytes + $1
 where partner_id = $2 and claim_id = $3 and paper_bytes + $1 <= $4 and state <= 4
