-- verify/moves.sql: each with the line of its proposal, where that is there.
select proposal_id, partner_id, line, moved_at, moved_by, from_status, to_status, reason,
       (select line from proposals where proposals.partner_id = moves.partner_id
           and proposals.proposal_id = moves.proposal_id)
  from moves
