select scopes from partners where partner_id = $1
