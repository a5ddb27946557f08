-- No row: it has too little, and is not guaranteed.
update deposits set balance = balance - $1 where insurer_id = $2 and name = $3 and (guaranteed or balance >= $1)
