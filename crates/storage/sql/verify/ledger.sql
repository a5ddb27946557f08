-- Each line, and whether its proposal has a policy or a premium, or was removed. A line without a proposal needs none.
select number, entry, debit, credit,
       proposal_id is null
       or exists (select 1 from policies where policies.partner_id = ledger.partner_id and policies.proposal_id = ledger.proposal_id)
       or exists (select 1 from premiums where premiums.partner_id = ledger.partner_id and premiums.proposal_id = ledger.proposal_id)
       or {was_removed},
       partner_id, reference, {sealed}
  from ledger
