-- A page of proposals, from which the tags of their people are made.
select partner_id, proposal_id, line, created_at, session_id, insurer_reference, status, changed_at, reason, body
  from proposals where (partner_id, proposal_id) > ($1, $2) order by partner_id, proposal_id limit $3
