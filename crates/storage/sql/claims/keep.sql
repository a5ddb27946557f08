-- `same` said in version 1 which claims are the same. The catalogue says that now, so each claim has a value of its
-- own. A change of a claim first changes its policy, in the same transaction and only in the version that was read. A
-- program of the previous version changes the claim alone: if no row changed, it was first.
insert into claims
    (partner_id, claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, body, same)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $2)
on conflict (partner_id, claim_id) do update set state = excluded.state, changed_at = excluded.changed_at,
    version = excluded.version, settle_by = excluded.settle_by, body = excluded.body
 where claims.version = excluded.version - 1
