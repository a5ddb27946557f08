select partner_id, claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, body
  from claims where claim_id = $1
