select q.partner_id, q.quote_id, q.created_at, q.body, q.outcome, o.ask, o.body as outcomes
from health_quotes q
left join health_outcomes o on o.partner_id = q.partner_id and o.quote_id = q.quote_id
where q.partner_id = $1 and q.quote_id = $2
