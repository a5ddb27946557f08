delete from payments where reference in ($1, $2, $3) and paid_for = $4
