select number, certificate from replaced_certificates
 where partner_id = $1 and policy_id = $2 and certificate_version = $3
