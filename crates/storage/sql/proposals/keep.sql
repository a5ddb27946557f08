-- No row: its id is taken, or another proposal is active for this quote and variant.
insert into proposals
    (partner_id, proposal_id, line, status, created_at, changed_at, session_id, quote_id, variant_id, insurer_reference, reason, body, import_id)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
on conflict do nothing
