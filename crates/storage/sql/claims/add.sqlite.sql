-- No row: the same claim was made known before.
insert into claims
    (partner_id, claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, same, body)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
on conflict do nothing
