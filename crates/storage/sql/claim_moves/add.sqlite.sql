insert into claim_moves (partner_id, claim_id, sequence, moved_at, moved_by, from_state, to_state, reason)
values ($1, $2, $3, $4, $5, $6, $7, $8)
