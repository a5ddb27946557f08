-- A page of receipts after one of them. A receipt that gets another hash meanwhile may come twice; the second time it
-- is correct.
select reference, sealed, partner_id from receipts where (partner_id, reference) > ($1, $2) order by partner_id, reference limit $3
