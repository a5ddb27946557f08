-- verify/statements.sql: each with whether its month is closed.
select partner_id, statement_id, month, kind, number, made_at, body, paid_at,
       exists (select 1 from statement_months as months where months.month = statements.month and closed_at is not null)
  from statements
