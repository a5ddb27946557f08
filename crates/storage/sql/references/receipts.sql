-- If a receipt gets its new hash while the pages are read, it may appear again on a later page. Its hash is then
-- already correct.
select reference, sealed, partner_id from receipts where (partner_id, reference) > ($1, $2) order by partner_id, reference limit $3
