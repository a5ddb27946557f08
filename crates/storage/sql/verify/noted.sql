select 1 from payments where reference in ($1, $2, $3) limit 1
