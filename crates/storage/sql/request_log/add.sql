insert into request_log (partner_id, batch_id, requests, body) values ($1, $2, $3, $4)
