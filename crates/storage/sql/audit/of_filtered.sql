select slot, number, entered_at, actor, via, action, change, subject, session, request_id, approval, reason, key_number, hash
from audit
where
    subject = $1 and entered_at >= $2 and entered_at < $3
    and (cast($4 as text) is null or actor = $4) and (cast($5 as text) is null or action = $5)
order by entered_at desc, slot, number desc
limit $6
