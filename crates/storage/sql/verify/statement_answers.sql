-- Each answer, and whether its statement exists.
select partner_id, statement_id, policy_id, kind, nth, answered_at, accepted, body,
       exists (select 1 from statements where statements.partner_id = statement_answers.partner_id
           and statements.statement_id = statement_answers.statement_id) as has_statement
  from statement_answers
