select count(*) from claims where partner_id = $1 and created_at >= $2
