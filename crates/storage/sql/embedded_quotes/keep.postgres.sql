-- If the id of a quote does not come back, a quote with this id already exists.
insert into embedded_quotes (partner_id, quote_id, body)
select * from unnest($1::uuid[], $2::uuid[], $3::bytea[])
on conflict (partner_id, quote_id) do nothing
returning quote_id
