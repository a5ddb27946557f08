-- verify/health_policies.sql: each with whether it was issued here, and then with the status of its proposal.
select policy_id, issued_at, session_id, number, insurer_number, body, partner_id, certificate,
       proposal_id is not null,
       (select status from health_proposals where health_proposals.partner_id = health_policies.partner_id
           and health_proposals.proposal_id = health_policies.proposal_id)
  from health_policies
