select coalesce(max(sequence), 0) + 1 from moves where partner_id = $1 and proposal_id = $2
