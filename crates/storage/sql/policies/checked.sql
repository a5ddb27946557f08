select partner_id, policy_id from visible_policies where check_hash = $1
