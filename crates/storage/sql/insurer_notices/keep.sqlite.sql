-- What was told before stays told.
insert into insurer_notices (partner_id, policy_id, issued, endorsements, claims, withdrawn, cancelled) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (partner_id, policy_id) do update set
    issued = max(issued, excluded.issued), endorsements = max(endorsements, excluded.endorsements),
    claims = max(claims, excluded.claims), withdrawn = max(withdrawn, excluded.withdrawn),
    cancelled = max(cancelled, excluded.cancelled)
