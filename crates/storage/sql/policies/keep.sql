-- If no row is inserted, the id or the number already exists, or the proposal already has a policy.
insert into policies
    (partner_id, policy_id, line, issued_at, session_id, proposal_id, number, insurer_number, check_hash, state, changed_at,
     last_day, version, document_read_at, body, certificate, renewable_until, import_id)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
on conflict do nothing
