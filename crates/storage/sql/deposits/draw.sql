-- $2: whether the insurer guarantees the draw, so that the balance may fall below zero. If no row changed, the deposit
-- is missing, or its balance is too low and the draw is not guaranteed. After a guaranteed draw, a balance below zero
-- does not stop later guaranteed draws, but all others.
update deposits set balance = balance - $1, guaranteed = $2, proof = $3
 where insurer_id = $4 and name = $5 and ($2 or balance >= $1)
