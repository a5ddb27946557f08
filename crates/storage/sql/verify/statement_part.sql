select body from statement_parts where partner_id = $1 and statement_id = $2 and file = $3 and number = $4
