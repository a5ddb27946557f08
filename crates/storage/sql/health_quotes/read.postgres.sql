select quote_id, created_at, body, outcome,
       array(select ask from health_outcomes as o where q.outcome is null and o.partner_id = $1 and o.quote_id = q.quote_id order by ask),
       array(select o.body from health_outcomes as o where q.outcome is null and o.partner_id = $1 and o.quote_id = q.quote_id order by ask)
  from health_quotes as q where partner_id = $1 and quote_id = $2
