select balance, guaranteed from deposits where insurer_id = $1 and name = $2
