select partner_id, 10 + line, issued_at, session_id, policy_id
  from visible_policies as policies where partner_id = $1 and policy_id = $2
   and not exists (select 1 from holds where record_id = policies.policy_id or record_id = policies.proposal_id)
   and not exists (select 1 from claims where claims.partner_id = $1 and claims.policy_id = $2
       and exists (select 1 from holds where record_id = claims.claim_id))
