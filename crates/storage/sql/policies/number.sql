-- If no row changed, another request has changed the policy since it was read.
update policies set insurer_number = $1, body = $2, version = version + 1
 where partner_id = $3 and policy_id = $4 and version = $5
