-- Without `on conflict`, PostgreSQL need not look for each id first. If one id already exists, the statement fails and
-- stores no quote.
insert into embedded_quotes (partner_id, quote_id, body)
select * from unnest($1::uuid[], $2::uuid[], $3::bytea[])
