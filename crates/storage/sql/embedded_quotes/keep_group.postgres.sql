-- A group of quotes, as if none had an id that is taken: PostgreSQL need not look for each of them first. Where one has, none is kept.
insert into embedded_quotes (partner_id, quote_id, body)
select * from unnest($1::uuid[], $2::uuid[], $3::bytea[])
