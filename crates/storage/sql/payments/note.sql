-- A transfer whose total is stated may pay several claims. If no row is inserted or changed, the bank reference was
-- already used for another payment, or the parts would exceed the total.
insert into payments (reference, sealed, paid_for, noted_at, total, used) values ($1, $2, $3, $4, $5, $6)
on conflict (reference) do update
    set paid_for = payments.paid_for || ' ' || excluded.paid_for, used = payments.used + excluded.used
 where payments.total = excluded.total and payments.used + excluded.used <= payments.total
