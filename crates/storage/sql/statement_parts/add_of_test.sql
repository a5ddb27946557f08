-- statement_parts/add_of_test.sql: of no month, so that nobody who begins one anew takes it away.
insert into statement_parts (partner_id, statement_id, file, number, month, body) values ($1, $2, $3, $4, 0, $5)
