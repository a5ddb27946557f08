-- If no row is inserted, the id already exists, or another proposal of this quote and variant is active.
insert into proposals
    (partner_id, proposal_id, line, created_at, session_id, insurer_reference, status, changed_at, reason, body, quote_id,
     variant_id, import_id)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
on conflict do nothing
