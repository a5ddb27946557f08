delete from tags where partner_id = $1 and tag = $2 and subject_id = $3
