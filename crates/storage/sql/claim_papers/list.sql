select partner_id, paper_id, claim_id, added_at, bytes, is_whole, body from claim_papers
 where partner_id = $1 and claim_id = $2 and is_whole order by paper_id
