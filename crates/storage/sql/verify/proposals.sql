-- Each proposal: whether it has a policy, and its status after the last status change.
select partner_id, proposal_id, line, created_at, session_id, insurer_reference, status, changed_at, reason, body, quote_id, variant_id,
       exists (select 1 from policies where policies.partner_id = proposals.partner_id
                and policies.proposal_id = proposals.proposal_id) as has_policy,
       (select to_status from moves where moves.partner_id = proposals.partner_id
           and moves.proposal_id = proposals.proposal_id order by sequence desc limit 1) as moved_to
  from proposals
