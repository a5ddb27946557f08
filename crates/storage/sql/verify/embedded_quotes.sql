select quote_id, body, partner_id from embedded_quotes
