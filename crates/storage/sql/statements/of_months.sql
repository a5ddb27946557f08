select partner_id, statement_id, month, kind, number, made_at, body, paid_at from statements
 where month >= $1 and month <= $2 and partner_id not in (select partner_id from partners where is_test)
 order by month desc, kind, number limit $3
