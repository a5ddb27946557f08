select slot, number, entered_at, actor, via, action, change, subject, session, request_id, approval, reason, key_number, hash
from audit
where
    via in ('socket', 'https', 'console') and entered_at >= $1 and entered_at < $2
    and (cast($3 as text) is null or actor = $3) and (cast($4 as text) is null or action = $4)
order by entered_at desc, slot, number desc
limit $5
