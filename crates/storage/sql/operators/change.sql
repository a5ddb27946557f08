update operators set version = $1, body = $2 where operator_id = $3 and version = $1 - 1
