select number, hash from audit where slot = $1 order by number desc limit 1
