select day, step, after_id, assortment, version from calendars where partner_id = $1
