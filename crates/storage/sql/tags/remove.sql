delete from tags where partner_id = $1 and subject_id = $2
