select policy_id, number, certificate, document_read_at is not null, line, state, certificate_version from visible_policies
 where partner_id = $1 and proposal_id = $2 and certificate is not null
