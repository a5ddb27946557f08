select partner_id, 100, created_at, session_id, claim_id from claims where partner_id = $1 and policy_id = $2
