-- If no row is inserted, the partner already has a receipt with this reference.
insert into receipts (partner_id, told_at, told_by, received_on, amount, reference, sealed, proof) values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict do nothing
