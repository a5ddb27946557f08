insert into moves (partner_id, proposal_id, line, sequence, moved_at, moved_by, from_status, to_status, reason)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
