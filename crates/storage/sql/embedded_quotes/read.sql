select body from embedded_quotes where partner_id = $1 and quote_id = $2
