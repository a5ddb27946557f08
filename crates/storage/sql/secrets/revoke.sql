update secrets set revoked_at = $1 where partner_id = $2 and number = $3 and revoked_at is null
