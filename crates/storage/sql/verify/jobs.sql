-- verify/jobs.sql: each with whether its record is there, a quote not finished. Kinds are numbered as JobKind::ALL.
select subject_id, kind, due_at,
       case kind
         when 0 then exists (select 1 from health_quotes where health_quotes.partner_id = jobs.partner_id
                              and health_quotes.quote_id = jobs.subject_id and health_quotes.outcome is null)
         when 1 then exists (select 1 from proposals where proposals.partner_id = jobs.partner_id
                              and proposals.proposal_id = jobs.subject_id)
         else exists (select 1 from health_proposals where health_proposals.partner_id = jobs.partner_id
                       and health_proposals.proposal_id = jobs.subject_id)
       end
  from jobs
