-- A page of receipts after one of them. One that gets another hash on the way may be met again, and is good then.
select reference, sealed, partner_id from receipts where (partner_id, reference) > ($1, $2) order by partner_id, reference limit $3
