select partner_id from policies where policy_id = $1
