update policies set state = $1, changed_at = $2, version = $3, refund_due_on = $4, body = $5
 where partner_id = $6 and policy_id = $7 and version = $8
