-- A page of proposals, for the tags of their people.
select partner_id, proposal_id, line, created_at, session_id, insurer_reference, status, changed_at, reason, body
  from proposals where (partner_id, proposal_id) > ($1, $2) order by partner_id, proposal_id limit $3
