-- No row: it has too little, and the draw is not guaranteed. What was drawn under a guarantee stays below nought, and the
-- next draw is judged anew.
update deposits set balance = balance - $1, guaranteed = $2
 where insurer_id = $3 and name = $4 and ($2 or balance >= $1)
