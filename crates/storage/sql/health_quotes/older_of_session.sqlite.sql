select quote_id, created_at, body, outcome from health_quotes
 where partner_id = $1 and session_id = $2 and (created_at, quote_id) < ($3, $4)
 order by created_at desc, quote_id desc limit $5
