insert into moves (partner_id, proposal_id, line, moved_at, moved_by, from_status, to_status, reason, sequence)
select $1, $2, $3, $4, $5, $6, $7, $8, coalesce(max(sequence), 0) + 1 from moves where partner_id = $1 and proposal_id = $2
