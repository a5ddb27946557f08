select partner_id, policy_id, line from policies where check_hash = $1
