insert into tags (partner_id, subject_id, tag, named)
select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bytea[])
