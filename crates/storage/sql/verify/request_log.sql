select batch_id, partner_id, body from request_log
