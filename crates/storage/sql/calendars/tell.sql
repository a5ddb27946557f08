-- $5 is the proof of the next version, $7 the version that was read. If no row changed, another process has changed the calendar since.
update calendars set day = $1, step = $2, after_id = $3, assortment = $4, version = version + 1, proof = $5
 where partner_id = $6 and version = $7
