-- A record that has the tag keeps it as it is.
insert into tags (partner_id, subject_id, tag, named) values ($1, $2, $3, $4) on conflict do nothing
