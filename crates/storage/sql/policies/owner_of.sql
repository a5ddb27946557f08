select partner_id from visible_policies where policy_id = $1
