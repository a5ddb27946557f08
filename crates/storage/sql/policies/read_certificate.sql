select partner_id, policy_id, number, certificate_version, certificate, document_read_at is not null as was_read, line, state from visible_policies
 where partner_id = $1 and proposal_id = $2 and certificate is not null
