select slot, number, entered_at, actor, via, action, change, subject, session, request_id, approval, reason, key_number, hash
from audit
where subject = $1
order by entered_at desc, slot, number desc
limit $2
