select slot, number, entered_at, actor, via, action, change, subject, session, request_id, approval, reason, key_number, hash
from audit
where slot = $1 and number > $2
order by number
limit $3
