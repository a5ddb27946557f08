select partner_id, quote_id, created_at from health_quotes where user_tag = $1 order by created_at desc, quote_id desc limit $2
