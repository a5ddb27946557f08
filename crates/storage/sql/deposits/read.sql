select balance from deposits where insurer_id = $1 and name = $2
