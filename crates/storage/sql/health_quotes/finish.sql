update health_quotes set outcome = $1 where partner_id = $2 and quote_id = $3 and outcome is null
