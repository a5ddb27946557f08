insert into migrations (number, name, applied_at) values ($1, $2, $3)
