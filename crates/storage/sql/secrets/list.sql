select partner_id, number, hash, added_at, revoked_at, tokens_ended from secrets order by partner_id, number
