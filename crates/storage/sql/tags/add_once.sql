-- If the record already has the tag, the stored row stays unchanged.
insert into tags (partner_id, subject_id, tag, named) values ($1, $2, $3, $4) on conflict do nothing
