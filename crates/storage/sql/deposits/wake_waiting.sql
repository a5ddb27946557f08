-- Proposals that wait for a deposit are tried again at once, oldest first.
update jobs set due_at = premiums.created_at, owner = null
  from premiums
 where premiums.insurer_id = $1 and premiums.deposit = $2 and not premiums.settled
   and jobs.partner_id = premiums.partner_id and jobs.subject_id = premiums.proposal_id and jobs.kind = 10 + premiums.line
