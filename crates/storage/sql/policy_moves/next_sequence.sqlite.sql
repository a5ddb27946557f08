select coalesce(max(sequence), 0) + 1 from policy_moves where partner_id = $1 and policy_id = $2
