-- If no row changed, the complaint already has an answer.
update complaints set answered_on = $1, body = $2 where partner_id = $3 and complaint_id = $4 and answered_on is null
