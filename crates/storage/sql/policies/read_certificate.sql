select policy_id, number, certificate from policies
 where partner_id = $1 and proposal_id = $2 and certificate is not null
