insert into audit
    (slot, number, entered_at, actor, via, action, change, subject, session, request_id, approval, reason, key_number, hash)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
