update deposits set balance = balance + $1 where insurer_id = $2 and name = $3
