select partner_id, claim_id as record_id, moved_at, moved_by, from_state, to_state, reason from claim_moves
 where partner_id = $1 and claim_id = $2 order by sequence
