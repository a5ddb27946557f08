select paid_for from payments where reference = $1
