select count(*) from tags where partner_id = $1 and tag in ($2, $3)
