update policies set state = $1, changed_at = $2, version = $3, refund_due_on = $4, endorsement_asked_at = $5,
       insurer_number = $6, body = $7
 where partner_id = $8 and policy_id = $9 and version = $10
