-- Each part of a file, and whether its statement of the same month exists or its month is still open.
-- Parts of a test partner have month 0.
select parts.statement_id, parts.partner_id,
       exists (select 1 from statements where statements.partner_id = parts.partner_id
                and statements.statement_id = parts.statement_id and parts.month in (statements.month, 0))
       or exists (select 1 from statement_months as months where months.month = parts.month and closed_at is null)
          and not exists (select 1 from statements where statements.partner_id = parts.partner_id
                           and statements.statement_id = parts.statement_id)
  from statement_parts as parts
