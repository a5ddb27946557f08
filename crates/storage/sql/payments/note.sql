-- No row: the reference paid something before. It is in capitals.
insert into payments (reference, paid_for, noted_at) values ($1, $2, $3) on conflict (reference) do nothing
