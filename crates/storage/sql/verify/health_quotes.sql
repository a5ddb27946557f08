-- Each quote, and whether it has a job of kind 0, which makes the recommendation.
select partner_id, quote_id, created_at, body, outcome,
       exists (select 1 from jobs where jobs.partner_id = health_quotes.partner_id and jobs.kind = 0
                and jobs.subject_id = health_quotes.quote_id) as has_job
  from health_quotes
