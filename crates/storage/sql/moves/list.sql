select partner_id, proposal_id, line, moved_at, moved_by, from_status, to_status, reason from moves
 where partner_id = $1 and proposal_id = $2 and line = $3 order by sequence
