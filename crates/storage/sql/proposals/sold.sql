-- Line 1 is credit life. Status 2 is COMPLETED: the policy was issued.
select proposal_id from proposals
 where partner_id = $1 and quote_id = $2 and variant_id = $3 and line = 1 and status = 2
 order by proposal_id desc limit $4
