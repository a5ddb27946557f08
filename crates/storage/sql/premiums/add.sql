-- If no row is inserted, the proposal already has a premium.
insert into premiums
    (partner_id, proposal_id, line, insurer_id, route, deposit, due, unsettled, received, applied, refundable, refunded,
     held_here, held_since, ended, decided_by, decided_at, insurer_number, created_at, changed_at, settled, proof)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
on conflict (partner_id, proposal_id) do nothing
