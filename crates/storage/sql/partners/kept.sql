-- Columns whose new values depend on the stored ones.
select scopes, clock_ahead from partners where partner_id = $1
