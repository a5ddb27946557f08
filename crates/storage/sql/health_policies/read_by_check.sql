select partner_id, policy_id, issued_at, session_id, number, insurer_number, body from health_policies where check_code = $1
