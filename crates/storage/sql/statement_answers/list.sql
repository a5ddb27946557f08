select partner_id, statement_id, policy_id, kind, nth, answered_at, accepted, body from statement_answers
 where partner_id = $1 and statement_id = $2 order by policy_id, kind, nth
