-- complaints/answer.sql: no row changed means that it was answered before.
update complaints set answered_on = $1, body = $2 where partner_id = $3 and complaint_id = $4 and answered_on is null
