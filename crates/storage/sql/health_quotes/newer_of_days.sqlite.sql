-- One bound each way, so that the index is entered at the place and nowhere else.
select quote_id, created_at, body, outcome from health_quotes
 where partner_id = $1 and created_at < $2 and (created_at, quote_id) > ($3, $4)
 order by created_at asc, quote_id asc limit $5
