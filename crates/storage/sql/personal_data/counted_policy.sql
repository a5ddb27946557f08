select partner_id, 10 + line, issued_at, session_id from policies where partner_id = $1 and policy_id = $2
