delete from journeys where (partner_id, journey_id) in
    (select partner_id, journey_id from journeys where seen_at < $1 order by seen_at limit $2)
