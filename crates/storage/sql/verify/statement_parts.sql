-- Each part of a file, and whether its statement exists or its month is still open.
select parts.statement_id, parts.partner_id,
       exists (select 1 from statements where statements.partner_id = parts.partner_id
                and statements.statement_id = parts.statement_id)
       or exists (select 1 from statement_months as months where months.month = parts.month and closed_at is null)
  from statement_parts as parts
