select proposal_id, status, created_at, changed_at from proposals
 where partner_id = $1 and ($2 is null or status = $2)
 order by proposal_id desc limit $3
