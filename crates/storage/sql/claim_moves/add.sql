insert into claim_moves (partner_id, claim_id, moved_at, moved_by, from_state, to_state, reason, sequence)
select $1, $2, $3, $4, $5, $6, $7, coalesce(max(sequence), 0) + 1 from claim_moves where partner_id = $1 and claim_id = $2
