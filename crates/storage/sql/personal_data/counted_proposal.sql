-- The conditions are checked again, because the proposal may have been submitted, sold or put on hold since the
-- decision to remove it. A proposal is undecided in status 1 (PENDING) if it is a credit-life proposal (line 1), or in
-- status 1 (PENDING), 2 (SUBMITTED), 3 (UNDERWRITING) or 7 (OFFLINE) if it is a health proposal (line 2).
select partner_id, line, created_at, session_id, proposal_id
  from visible_proposals as proposals where partner_id = $1 and proposal_id = $2
   and not (line = 1 and status = 1) and not (line = 2 and status in (1, 2, 3, 7))
   and not exists (select 1 from policies where policies.partner_id = $1 and policies.proposal_id = $2)
   and not exists (select 1 from holds where record_id = proposals.proposal_id)
