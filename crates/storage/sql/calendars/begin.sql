insert into calendars (partner_id, day, assortment) values ($1, $2, $3) on conflict (partner_id) do nothing
