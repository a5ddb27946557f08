-- A page of claims, from which the tags of their claimants are made.
select partner_id, claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, body
  from claims where (partner_id, claim_id) > ($1, $2) order by partner_id, claim_id limit $3
