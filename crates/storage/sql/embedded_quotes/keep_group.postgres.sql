-- A group of quotes whose ids are new: PostgreSQL need not look for each of them first. If one id is taken, none is
-- stored.
insert into embedded_quotes (partner_id, quote_id, body)
select * from unnest($1::uuid[], $2::uuid[], $3::bytea[])
