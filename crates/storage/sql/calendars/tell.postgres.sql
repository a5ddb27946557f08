-- No row: somebody else told since, and no event is kept. `events/within.postgres.sql` follows, which keeps them: $1 to $7.
with act as (
    update calendars set day = $8, step = $9, after_id = $10, assortment = $11, version = version + 1
     where partner_id = $12 and version = $13
    returning 1
