-- Each policy, with values from other tables. `proposal_status`: the status of its proposal, if the policy was issued
-- here. `premium`, `refund` and `returned`: its amounts in the ledger on the accounts 6 (premium), 9 (policy-refund)
-- and 8 (returned-premium). `moved_to`: its state after the last status change. `claims` and `replaced_certificates`:
-- their numbers. `is_booked`: whether its sale is in the ledger. A test partner's sale without a row in `premiums` is
-- not: its premium would come from a deposit, but deposits have no money of test partners. `has_paid_claim`: whether a
-- claim is in state 5 (PAID).
select partner_id, policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line, certificate,
       (select status from proposals where proposals.partner_id = policies.partner_id
           and proposals.proposal_id = policies.proposal_id and proposals.line = policies.line) as proposal_status,
       coalesce(booked.premium, 0) as premium, coalesce(booked.refund, 0) as refund, coalesce(booked.returned, 0) as returned,
       (select to_state from policy_moves where policy_moves.partner_id = policies.partner_id
           and policy_moves.policy_id = policies.policy_id order by sequence desc limit 1) as moved_to,
       (select count(*) from claims where claims.partner_id = policies.partner_id and claims.policy_id = policies.policy_id) as claims,
       certificate_version,
       (select count(*) from replaced_certificates as replaced
         where replaced.partner_id = policies.partner_id and replaced.policy_id = policies.policy_id) as replaced_certificates,
       renewable_until, refund_due_on, endorsement_asked_at,
       exists (select 1 from premiums where premiums.partner_id = policies.partner_id
           and premiums.proposal_id = policies.proposal_id)
         or not exists (select 1 from partners where partners.partner_id = policies.partner_id and partners.is_test) as is_booked,
       exists (select 1 from claims where claims.partner_id = policies.partner_id and claims.policy_id = policies.policy_id
           and claims.state = 5) as has_paid_claim,
       exists (select 1 from partners where partners.partner_id = policies.partner_id and partners.is_test) as is_of_test
  from policies
  left join (select partner_id as of_partner, proposal_id as of_proposal,
                    cast(sum(case 6 when credit then amount end) as bigint) as premium,
                    cast(sum(case 9 when credit then amount when debit then -amount end) as bigint) as refund,
                    cast(sum(case 8 when credit then amount when debit then -amount end) as bigint) as returned
               from ledger where proposal_id is not null group by 1, 2) as booked
    on booked.of_partner = policies.partner_id and booked.of_proposal = policies.proposal_id
