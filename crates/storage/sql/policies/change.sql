update policies set state = $1, changed_at = $2, version = $3, refund_due_on = $4, endorsement_asked_at = $5, body = $6
 where partner_id = $7 and policy_id = $8 and version = $9
