select policy_id, issued_at, session_id, number, insurer_number, body from health_policies where partner_id = $1 and number = $2
