-- Deletes old quotes of all partners. `owners` finds each partner by one step in the index, instead of reading every
-- row.
with recursive owners (partner_id) as (
    select min(partner_id) from embedded_quotes
    union all
    select (select min(q.partner_id) from embedded_quotes q where q.partner_id > owners.partner_id)
      from owners where owners.partner_id is not null
)
delete from embedded_quotes where (partner_id, quote_id) in (
    select q.partner_id, q.quote_id
      from owners join embedded_quotes q on q.partner_id = owners.partner_id and q.quote_id < $1 limit $2)
