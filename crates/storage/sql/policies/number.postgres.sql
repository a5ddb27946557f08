-- policies/number.postgres.sql: gives policies their insurer's numbers, each only in the version in which it was seen.
update policies set insurer_number = given.number, body = given.body, version = policies.version + 1
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::integer[])
    as given (partner_id, policy_id, number, body, before)
 where policies.partner_id = any ($1) and policies.partner_id = given.partner_id and policies.policy_id = given.policy_id and policies.version = given.before
returning 1
