insert into operators (operator_id, version, body) values ($1, $2, $3) on conflict (operator_id) do nothing
