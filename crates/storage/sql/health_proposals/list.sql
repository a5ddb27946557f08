select proposal_id, status, created_at, changed_at from health_proposals
 where partner_id = $1 and ($2 is null or status = $2)
 order by created_at desc, proposal_id desc limit $3
