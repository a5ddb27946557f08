-- verify/health_proposals.sql: each with whether the journey made it and it has a policy, and where its last move led.
select proposal_id, created_at, changed_at, status, session_id, insurer_reference, reason, body, partner_id,
       quote_id is not null,
       exists (select 1 from health_policies where health_policies.partner_id = health_proposals.partner_id
                and health_policies.proposal_id = health_proposals.proposal_id),
       (select to_status from health_moves where health_moves.partner_id = health_proposals.partner_id
           and health_moves.proposal_id = health_proposals.proposal_id order by place desc limit 1)
  from health_proposals
