-- Each with whether it has a policy, and where its last move led.
select proposal_id, created_at, changed_at, status, session_id, insurer_reference, reason, body, partner_id, line,
       exists (select 1 from policies where policies.partner_id = proposals.partner_id
                and policies.proposal_id = proposals.proposal_id),
       (select to_status from moves where moves.partner_id = proposals.partner_id
           and moves.proposal_id = proposals.proposal_id order by sequence desc limit 1)
  from proposals
