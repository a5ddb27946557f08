update tags set tag = $1 where partner_id = $2 and tag = $3 and subject_id = $4
