-- The second value says whether the policy can be removed: its cover, claims, refunds, endorsements and payments have
-- ended, and it has no complaint and no legal hold. Claims are closed in states from 5 on: PAID, REJECTED, REPUDIATED,
-- WITHDRAWN.
select policy_id,
       last_day < $1 and changed_at < $2 and refund_due_on is null and endorsement_asked_at is null
       and not exists (select 1 from claims where claims.partner_id = $3 and claims.policy_id = old.policy_id
           and (claims.changed_at >= $2 or claims.state < 5
               or exists (select 1 from holds where record_id = claims.claim_id)))
       and not exists (select 1 from premiums where premiums.partner_id = $3 and premiums.proposal_id = old.proposal_id and not settled)
       and not exists (select 1 from ledger where ledger.partner_id = $3 and ledger.proposal_id = old.proposal_id and posted_at >= $2)
       and not exists (select 1 from complaints where complaints.partner_id = $3 and complaints.policy_id = old.policy_id)
       and not exists (select 1 from holds where record_id = old.policy_id or record_id = old.proposal_id)
  from visible_policies as old where partner_id = $3 and policy_id > $4 and policy_id < $5 order by policy_id limit $6
