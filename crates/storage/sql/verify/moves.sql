-- Each status change of a proposal: the line of business of its proposal, its sequence number, its position among the
-- status changes of its proposal, and the status in which the previous one ended.
select partner_id, proposal_id, line, moved_at, moved_by, from_status, to_status, reason,
       (select line from proposals where proposals.partner_id = moves.partner_id
           and proposals.proposal_id = moves.proposal_id) as line_of_proposal,
       sequence, row_number() over proposal as position, lag(to_status) over proposal as moved_before
  from moves
window proposal as (partition by partner_id, proposal_id order by sequence)
