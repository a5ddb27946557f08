select replaced_at from replaced_certificates where partner_id = $1 and policy_id = $2 order by certificate_version
