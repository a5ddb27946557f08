select partner_id, paper_id from claim_papers where is_whole = 0 and added_at < $1 limit $2
