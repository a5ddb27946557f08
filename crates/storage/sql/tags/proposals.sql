-- A page of proposals, for the tags of their people.
select proposal_id, created_at, changed_at, status, session_id, insurer_reference, reason, body, partner_id, line
  from proposals where (partner_id, proposal_id) > ($1, $2) order by partner_id, proposal_id limit $3
