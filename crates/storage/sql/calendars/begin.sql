insert into calendars (partner_id, day, assortment, proof) values ($1, $2, $3, $4) on conflict (partner_id) do nothing
