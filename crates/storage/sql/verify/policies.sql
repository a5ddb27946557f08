-- verify/policies.sql: each with the status of its proposal.
select proposal_id, policy_id, body, certificate,
       (select status from proposals where proposals.partner_id = policies.partner_id
           and proposals.proposal_id = policies.proposal_id)
  from policies
