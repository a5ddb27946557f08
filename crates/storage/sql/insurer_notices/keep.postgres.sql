-- What was told before stays told. The row says whether the lease still holds.
with told as (
    insert into insurer_notices as before (partner_id, policy_id, issued, endorsements, claims, withdrawn, cancelled)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (partner_id, policy_id) do update set
        issued = before.issued or excluded.issued, endorsements = greatest(before.endorsements, excluded.endorsements),
        claims = greatest(before.claims, excluded.claims), withdrawn = greatest(before.withdrawn, excluded.withdrawn),
        cancelled = before.cancelled or excluded.cancelled
)
select exists (
    select 1 from jobs where partner_id = $1 and kind = $8 and subject_id = $2 and owner = $9 and attempt = $10)
