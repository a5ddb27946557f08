-- Each with whether its month is closed; that of a test partner ends by the partner's own clock.
select partner_id, statement_id, month, kind, number, made_at, body, paid_at,
       exists (select 1 from statement_months as months where months.month = statements.month and closed_at is not null)
       or partner_id in (select partner_id from partners where is_test) as is_closed
  from statements
