-- Deletes old events of all partners. `owners` finds each partner by one step in the index, instead of reading every
-- row.
with recursive owners (partner_id) as (
    select min(partner_id) from events
    union all
    select (select min(e.partner_id) from events e where e.partner_id > owners.partner_id)
      from owners where owners.partner_id is not null
)
delete from events where rowid in (
    select e.rowid from owners join events e on e.partner_id = owners.partner_id and e.event_id < $1 limit $2)
