-- Only one thread writes to SQLite, so the table has no slots. The condition uses the slot ($5), so that the statement
-- has the same parameters as on PostgreSQL.
insert into day_counts (partner_id, kind, day, number) select $1, $2, $3, $4 where $5 is not null
on conflict (partner_id, kind, day) do update set number = number + excluded.number
