select hash from audit where slot = $1 and number = $2
