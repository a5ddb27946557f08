-- `same` once said which claims are the same. The catalogue says that now, so that each has a value of its own.
-- Whoever changes a claim has changed its policy before, in the same transaction and only in the version that was seen. A program of the
-- version before changes a claim alone: no row means that it was first.
insert into claims
    (partner_id, claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, same, body)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $2, $11)
on conflict (partner_id, claim_id) do update set state = excluded.state, changed_at = excluded.changed_at,
    version = excluded.version, settle_by = excluded.settle_by, body = excluded.body
 where claims.version = excluded.version - 1
