insert into tokens (partner_id, issued_at, token_id) values ($1, $2, $3)
