-- Each with whether a job works on it; jobs of kind 0 are recommendations.
select quote_id, created_at, body, outcome, partner_id,
       exists (select 1 from jobs where jobs.partner_id = health_quotes.partner_id and jobs.kind = 0
                and jobs.subject_id = health_quotes.quote_id)
  from health_quotes
