-- The numbers only grow, even if a worker with older numbers writes last.
insert into insurer_notices as before (partner_id, policy_id, issued, endorsements, claims, withdrawn, cancelled)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (partner_id, policy_id) do update set
    issued = before.issued or excluded.issued,
    endorsements = case when excluded.endorsements > before.endorsements then excluded.endorsements else before.endorsements end,
    claims = case when excluded.claims > before.claims then excluded.claims else before.claims end,
    withdrawn = case when excluded.withdrawn > before.withdrawn then excluded.withdrawn else before.withdrawn end,
    cancelled = before.cancelled or excluded.cancelled
