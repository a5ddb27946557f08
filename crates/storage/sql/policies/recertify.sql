update policies set certificate = $1, certificate_version = $2 where partner_id = $3 and policy_id = $4
