update claim_papers set bytes = $1, is_whole = true, body = $2 where partner_id = $3 and paper_id = $4 and not is_whole
