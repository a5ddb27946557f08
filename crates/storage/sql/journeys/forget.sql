-- If no row is deleted, the customer has come back meanwhile, which changed the version.
delete from journeys where partner_id = $1 and journey_id = $2 and version = $3
