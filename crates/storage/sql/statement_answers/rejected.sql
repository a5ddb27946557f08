select policy_id, answered_at from statement_answers
 where not accepted
 order by answered_at, policy_id limit $1
