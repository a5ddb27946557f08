select batch_id, body from request_log where partner_id = $1 and batch_id <= $2 order by batch_id desc limit $3
