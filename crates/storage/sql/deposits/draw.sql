-- If no row comes back, the balance is too small and the draw is not guaranteed. A balance below zero after a
-- guaranteed draw stays, and the next draw is judged by itself.
update deposits set balance = balance - $1, guaranteed = $2
 where insurer_id = $3 and name = $4 and ($2 or balance >= $1)
