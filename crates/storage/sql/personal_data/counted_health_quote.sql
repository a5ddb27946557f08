select partner_id, 0, created_at, session_id, quote_id
  from health_quotes where partner_id = $1 and quote_id = $2
   and not exists (select 1 from holds where record_id = quote_id)
