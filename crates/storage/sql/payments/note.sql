-- If no row is inserted, the bank reference was already used for another payment.
insert into payments (reference, sealed, paid_for, noted_at) values ($1, $2, $3, $4) on conflict (reference) do nothing
