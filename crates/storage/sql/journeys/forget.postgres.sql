-- Those that come back are gone; of the others the customers came back meanwhile.
delete from journeys using unnest($1::uuid[], $2::uuid[], $3::integer[]) as old (partner_id, journey_id, version)
 where journeys.partner_id = any ($1) and journeys.partner_id = old.partner_id and journeys.journey_id = old.journey_id and journeys.version = old.version
returning journeys.journey_id
