update health_quotes set lead_tag = $1, user_tag = $2 where partner_id = $3 and quote_id = $4
