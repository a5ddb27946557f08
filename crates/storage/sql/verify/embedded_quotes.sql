select quote_id, body from embedded_quotes
