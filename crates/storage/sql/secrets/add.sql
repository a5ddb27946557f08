insert into secrets (partner_id, number, added_at, revoked_at, tokens_ended, hash)
values ($1, $2, $3, $4, $5, $6)
