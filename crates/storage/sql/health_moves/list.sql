select place, moved_at, moved_by, from_status, to_status, reason from health_moves
 where partner_id = $1 and proposal_id = $2 order by place
