-- If no row is inserted or changed, the month is already closed.
insert into statement_months (month, run, begun_at) values ($1, $2, $3)
on conflict (month) do update set run = excluded.run, begun_at = excluded.begun_at where statement_months.closed_at is null
