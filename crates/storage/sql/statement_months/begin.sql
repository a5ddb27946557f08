-- If no row is inserted or changed, the month is already closed.
insert into statement_months (run, month, begun_at, proof) values ($1, $2, $3, $4)
on conflict (month) do update set run = excluded.run, begun_at = excluded.begun_at, proof = excluded.proof where statement_months.closed_at is null
