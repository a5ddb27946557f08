-- Copies the certificate before policies/recertify replaces it.
insert into replaced_certificates (partner_id, policy_id, certificate_version, replaced_at, number, certificate)
select partner_id, policy_id, certificate_version, $1, number, certificate from policies where partner_id = $2 and policy_id = $3
