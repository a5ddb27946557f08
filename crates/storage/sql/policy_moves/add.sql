insert into policy_moves (partner_id, policy_id, moved_at, moved_by, from_state, to_state, reason, sequence)
select $1, $2, $3, $4, $5, $6, $7, coalesce(max(sequence), 0) + 1 from policy_moves where partner_id = $1 and policy_id = $2
