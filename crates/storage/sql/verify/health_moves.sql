select proposal_id, partner_id, moved_at, moved_by, from_status, to_status, reason,
       exists (select 1 from health_proposals where health_proposals.partner_id = health_moves.partner_id
                and health_proposals.proposal_id = health_moves.proposal_id)
  from health_moves
