-- Each with whether its record is there, a quote not finished. Kinds are numbered in codes.rs.
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
