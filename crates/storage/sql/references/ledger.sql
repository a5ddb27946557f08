-- A page of lines of the ledger after those of a reference.
select reference, sealed, partner_id from ledger
 where reference is not null and (partner_id, reference) > ($1, $2) order by partner_id, reference limit $3
