select partner_id, policy_id as record_id, moved_at, moved_by, from_state, to_state, reason from policy_moves
 where partner_id = $1 and policy_id = $2 order by sequence
