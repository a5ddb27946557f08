delete from health_outcomes where partner_id = $1 and quote_id = $2
