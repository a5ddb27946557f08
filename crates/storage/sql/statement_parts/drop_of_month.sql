delete from statement_parts where month = $1
