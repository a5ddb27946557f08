insert into request_log (partner_id, batch_id, requests, body)
select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bytea[])
