select partner_id, claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, body from claims where partner_id = $1 and policy_id = $2 order by created_at, claim_id
