-- The outcomes of each ask, and whether their quote exists and is unfinished.
select quote_id, ask, body, partner_id,
       exists (select 1 from health_quotes where health_quotes.partner_id = health_outcomes.partner_id
                and health_quotes.quote_id = health_outcomes.quote_id and health_quotes.outcome is null)
  from health_outcomes
