-- Changes one row or none. None: somebody moved the proposal first, and this move has lost (D28).
-- The parameters stand in the order of their numbers, since SQLite counts `$n` by where it comes, not by its n.
update proposals set status = $1, changed_at = $2, reason = $3
 where partner_id = $4 and proposal_id = $5 and line = $6 and status = $7
