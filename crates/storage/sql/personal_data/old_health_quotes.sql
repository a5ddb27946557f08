-- The second value says whether the quote can be removed.
select quote_id, created_at < $1 and not exists (select 1 from holds where record_id = quote_id)
  from health_quotes where partner_id = $2 and quote_id > $3 and quote_id < $4 order by quote_id limit $5
