-- Each statement, and whether its month is closed. The months of a test partner end by its own clock, so they count as
-- closed.
select partner_id, statement_id, month, kind, number, made_at, body, paid_at,
       exists (select 1 from statement_months as months where months.month = statements.month and closed_at is not null)
       or partner_id in (select partner_id from partners where is_test) as is_closed
  from statements
