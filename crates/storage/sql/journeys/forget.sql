-- If no row was removed, the customer came back meanwhile.
delete from journeys where partner_id = $1 and journey_id = $2 and version = $3
