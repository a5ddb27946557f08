-- If no row comes back, the reference paid something before.
insert into payments (reference, sealed, paid_for, noted_at) values ($1, $2, $3, $4) on conflict (reference) do nothing
