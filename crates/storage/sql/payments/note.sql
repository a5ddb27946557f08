-- No row: it paid something before.
insert into payments (reference, paid_for, noted_at) values ($1, $2, $3) on conflict (reference) do nothing returning 1
