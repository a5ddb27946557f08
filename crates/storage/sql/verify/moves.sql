select proposal_id, partner_id, moved_at, moved_by, from_status, to_status, reason,
       exists (select 1 from proposals where proposals.partner_id = moves.partner_id
                and proposals.proposal_id = moves.proposal_id)
  from moves
