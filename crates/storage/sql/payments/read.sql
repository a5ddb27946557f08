select paid_for, reference, total from payments where reference in ($1, $2, $3)
