select quote_id, created_at, body, outcome from health_quotes
 where partner_id = $1 and created_at >= $2 and created_at < $3 and (created_at, quote_id) > ($4, $5)
 order by created_at asc, quote_id asc limit $6
