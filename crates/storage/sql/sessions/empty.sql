update sessions set body = $1 where partner_id = $2 and session_id = $3
