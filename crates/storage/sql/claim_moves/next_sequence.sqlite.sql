select coalesce(max(sequence), 0) + 1 from claim_moves where partner_id = $1 and claim_id = $2
