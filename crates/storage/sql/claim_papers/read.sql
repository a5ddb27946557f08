select partner_id, paper_id, claim_id, added_at, bytes, is_whole, body from claim_papers
 where partner_id = $1 and paper_id = $2 and claim_id = $3 and is_whole
