-- One bound each way, so that the index is entered at the place and nowhere else.
select proposal_id, created_at, changed_at, status, session_id, insurer_reference, reason, body from health_proposals
 where partner_id = $1 and created_at < $2 and (created_at, proposal_id) > ($3, $4)
 order by created_at asc, proposal_id asc limit $5
