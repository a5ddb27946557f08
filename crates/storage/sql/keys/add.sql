insert into keys (number, purpose, wrapped, created_at, active_from) values ($1, $2, $3, $4, $5)
