-- Each line, and whether its proposal has a policy or a premium, or was removed. A line without a proposal needs none.
-- `is_of_other_insurer`: whether the proposal's premium is of another insurer. `is_commission`: whether the line belongs
-- to a statement, because it has neither a proposal nor a deposit.
select number, partner_id, posted_at, entry, debit, credit, amount, insurer_id, deposit, proposal_id, reference, {sealed}, {proof},
       proposal_id is null
       or exists (select 1 from policies where policies.partner_id = ledger.partner_id and policies.proposal_id = ledger.proposal_id)
       or exists (select 1 from premiums where premiums.partner_id = ledger.partner_id and premiums.proposal_id = ledger.proposal_id)
       or {was_removed} as has_sale,
       exists (select 1 from premiums where premiums.partner_id = ledger.partner_id
           and premiums.proposal_id = ledger.proposal_id and premiums.insurer_id <> ledger.insurer_id) as is_of_other_insurer,
       proposal_id is null and deposit is null as is_commission
  from ledger
