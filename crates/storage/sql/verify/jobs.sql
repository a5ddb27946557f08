-- Each job, and whether its record exists. Kind 0 makes the recommendation of a quote, which must be unfinished. Kind
-- 30 reports a policy to its insurer. The other kinds work on a proposal: the number of its line of business asks for
-- the decision, and that number plus 10 issues the policy after payment.
select subject_id, kind,
       case kind
         when 0 then exists (select 1 from health_quotes where health_quotes.partner_id = jobs.partner_id
                              and health_quotes.quote_id = jobs.subject_id and health_quotes.outcome is null)
         when 30 then exists (select 1 from policies where policies.partner_id = jobs.partner_id
                              and policies.policy_id = jobs.subject_id)
         else exists (select 1 from proposals where proposals.partner_id = jobs.partner_id
                       and proposals.proposal_id = jobs.subject_id and proposals.line in (jobs.kind, jobs.kind - 10))
       end
  from jobs
