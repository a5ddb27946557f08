-- The column `same` is no longer used, but it must be unique, so it gets the claim's id. Programs of this version
-- change a claim only in the transaction that also changes its policy and checks the policy's version. A program of the
-- previous version changes the claim alone. So if no row changed, such a program has changed the claim since it was
-- read.
insert into claims
    (partner_id, claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, body, same)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $2)
on conflict (partner_id, claim_id) do update set state = excluded.state, changed_at = excluded.changed_at,
    version = excluded.version, settle_by = excluded.settle_by, body = excluded.body
 where claims.version = excluded.version - 1
