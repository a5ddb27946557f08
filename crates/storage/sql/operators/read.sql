select operator_id, version, body from operators where operator_id = $1
