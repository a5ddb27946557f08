-- What of a partner is changed from where it stands.
select scopes, clock_ahead from partners where partner_id = $1
