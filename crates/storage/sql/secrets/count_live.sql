select count(*) from secrets where partner_id = $1 and revoked_at is null
