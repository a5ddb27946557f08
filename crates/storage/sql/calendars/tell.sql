-- $6 is the version that was read. If no row changed, another process has changed the calendar since.
update calendars set day = $1, step = $2, after_id = $3, assortment = $4, version = version + 1
 where partner_id = $5 and version = $6
