-- No row changed means that another request was first (D28).
-- Parameters are numbered in order of appearance: SQLite binds `$n` by it, whatever n says.
update proposals set status = $1, changed_at = $2
 where partner_id = $3 and proposal_id = $4 and status = $5
