-- Each replaced certificate, and whether its policy exists and has the number of the certificate.
select policy_id, partner_id, number, certificate_version, certificate,
       exists (select 1 from policies where policies.partner_id = replaced_certificates.partner_id
           and policies.policy_id = replaced_certificates.policy_id and policies.number = replaced_certificates.number)
  from replaced_certificates
