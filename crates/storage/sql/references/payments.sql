select reference, sealed from payments where reference > $1 order by reference limit $2
