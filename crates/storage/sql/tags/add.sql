insert into tags (partner_id, subject_id, tag, named) values ($1, $2, $3, $4)
