update claims set state = $1, changed_at = $2, version = $3, settle_by = $4, body = $5
 where partner_id = $6 and claim_id = $7 and version = $8
