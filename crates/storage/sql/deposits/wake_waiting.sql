-- Kind 10 plus the line of business is the job that issues a policy after payment. The jobs that wait for the deposit
-- become due. Each is due from the time of its premium on, so that the oldest one runs first.
update jobs set due_at = premiums.created_at, owner = null
  from premiums
 where premiums.insurer_id = $1 and premiums.deposit = $2 and not premiums.settled
   and jobs.partner_id = premiums.partner_id and jobs.subject_id = premiums.proposal_id and jobs.kind = 10 + premiums.line
