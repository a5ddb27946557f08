select partner_id, paper_id from claim_papers where not is_whole and added_at < $1 limit $2
