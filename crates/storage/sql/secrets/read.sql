select partner_id, number, hash, added_at, revoked_at, tokens_ended from secrets where partner_id = $1 and number = $2
