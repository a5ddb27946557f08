insert into moves (partner_id, proposal_id, place, moved_at, moved_by, from_status, to_status, reason)
values ($1, $2, $3, $4, $5, $6, $7, $8)
