select paid_for from payments where reference in ($1, $2, $3)
