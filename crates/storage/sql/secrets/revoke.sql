update secrets set revoked_at = coalesce(revoked_at, $1), tokens_ended = tokens_ended or $2
 where partner_id = $3 and number = $4 and (revoked_at is null or ($2 and not tokens_ended))
