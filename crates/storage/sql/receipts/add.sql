-- No row: the partner has a payment of this reference, perhaps in another case.
insert into receipts (partner_id, reference, told_at, told_by, received_on, amount) values ($1, $2, $3, $4, $5, $6)
on conflict do nothing
