-- policies/number.sql: gives a policy its insurer's number, only in the version in which it was seen.
update policies set insurer_number = $1, body = $2, version = version + 1
 where partner_id = $3 and policy_id = $4 and version = $5
