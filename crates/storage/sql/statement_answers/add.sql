-- If no row is inserted, this line of the statement already has an answer.
insert into statement_answers (partner_id, statement_id, policy_id, kind, nth, answered_at, accepted, body)
values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing
