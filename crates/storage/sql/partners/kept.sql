-- The new values of these columns depend on the stored values.
select scopes, clock_ahead from partners where partner_id = $1
