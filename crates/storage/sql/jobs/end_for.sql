delete from jobs where partner_id = $1 and kind = $2 and subject_id = $3
