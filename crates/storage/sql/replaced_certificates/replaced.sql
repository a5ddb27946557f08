-- Replaced certificates of a period, of one partner, or of all if $6 is null. The page begins after the given time,
-- partner, policy and version.
select replaced_at, partner_id, policy_id, certificate_version from replaced_certificates
 where replaced_at < $1 and (replaced_at, partner_id, policy_id, certificate_version) > ($2, $3, $4, $5)
   and partner_id = coalesce($6, partner_id)
 order by replaced_at, partner_id, policy_id, certificate_version limit $7
