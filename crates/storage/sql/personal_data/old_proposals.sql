-- Each row says whether it can be removed: it was not sold, nobody is asked to decide it, and its premium is settled.
select proposal_id,
       changed_at < $1
       and not (line = 1 and status = 1) and not (line = 2 and status in (1, 2, 3, 7))
       and not exists (select 1 from policies where policies.partner_id = $2 and policies.proposal_id = old.proposal_id)
       and not exists (select 1 from premiums where premiums.partner_id = $2 and premiums.proposal_id = old.proposal_id and not settled)
       and not exists (select 1 from holds where record_id = old.proposal_id)
  from visible_proposals as old where partner_id = $2 and proposal_id > $3 and proposal_id < $4 order by proposal_id limit $5
