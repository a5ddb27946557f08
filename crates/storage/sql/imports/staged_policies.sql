select partner_id, policy_id, 10 + line, issued_at, session_id from policies where import_id = $1 limit $2
