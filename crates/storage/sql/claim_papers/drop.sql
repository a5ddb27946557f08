delete from claim_papers where partner_id = $1 and paper_id = $2 and not is_whole
