-- A group of quotes, of which one that does not come back has an id that is taken.
insert into embedded_quotes (partner_id, quote_id, body)
select * from unnest($1::uuid[], $2::uuid[], $3::bytea[])
on conflict (partner_id, quote_id) do nothing
returning quote_id
