-- The second value says whether the proposal can be removed: it is neither undecided nor sold, its premium is settled,
-- and it has no legal hold. A proposal is undecided in status 1 (PENDING) if it is a credit-life proposal (line 1), or
-- in status 1 (PENDING), 2 (SUBMITTED), 3 (UNDERWRITING) or 7 (OFFLINE) if it is a health proposal (line 2).
select proposal_id,
       changed_at < $1
       and not (line = 1 and status = 1) and not (line = 2 and status in (1, 2, 3, 7))
       and not exists (select 1 from policies where policies.partner_id = $2 and policies.proposal_id = old.proposal_id)
       and not exists (select 1 from premiums where premiums.partner_id = $2 and premiums.proposal_id = old.proposal_id and not settled)
       and not exists (select 1 from holds where record_id = old.proposal_id)
  from visible_proposals as old where partner_id = $2 and proposal_id > $3 and proposal_id < $4 order by proposal_id limit $5
