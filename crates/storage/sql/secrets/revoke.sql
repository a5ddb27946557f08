update secrets set hash = $1, revoked_at = $2, tokens_ended = $3 where partner_id = $4 and number = $5
