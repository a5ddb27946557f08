select partner_id, policy_id, line from visible_policies where check_hash = $1
