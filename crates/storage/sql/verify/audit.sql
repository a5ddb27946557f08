select slot, number, entered_at, actor, via, action, change, subject, session, request_id, approval, reason, key_number, hash
from audit
order by slot, number
