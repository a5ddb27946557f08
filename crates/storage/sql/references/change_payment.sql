update payments set reference = $1, sealed = $2 where reference = $3
