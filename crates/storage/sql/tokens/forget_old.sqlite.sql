-- What lies outside the sliding hour no longer counts (D6).
delete from tokens where partner_id = $1 and issued_at <= $2
