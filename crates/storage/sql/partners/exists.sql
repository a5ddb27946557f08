select exists (select 1 from partners where partner_id = $1)
