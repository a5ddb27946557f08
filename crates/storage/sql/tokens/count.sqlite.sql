select count(*), min(issued_at) from tokens where partner_id = $1
