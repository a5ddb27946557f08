delete from answers where (partner_id, answer_key) in
    (select partner_id, answer_key from answers where kept_at < $1 limit $2)
