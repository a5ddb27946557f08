-- All lines with a reference are changed together. So the next page begins after the reference, even if the page has
-- only some of its lines.
select reference, sealed, partner_id from ledger
 where reference is not null and (partner_id, reference) > ($1, $2) order by partner_id, reference limit $3
