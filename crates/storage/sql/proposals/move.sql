-- Changes at most one row. If it changes none, another move of the proposal was first and this one is lost (D28).
-- SQLite numbers `$n` by its first occurrence, so the parameters stand in order.
update proposals set status = $1, changed_at = $2, reason = $3
 where partner_id = $4 and proposal_id = $5 and line = $6 and status = $7
