insert into secrets (partner_id, number, hash, added_at) values ($1, $2, $3, $4)
