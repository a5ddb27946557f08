select proposal_id, status, created_at, changed_at from visible_proposals
 where partner_id = $1 and line = $2 and (cast($3 as smallint) is null or status = $3)
 order by created_at desc, proposal_id desc limit $4
