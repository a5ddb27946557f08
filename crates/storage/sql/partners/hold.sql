select partner_id from partners where partner_id = $1
