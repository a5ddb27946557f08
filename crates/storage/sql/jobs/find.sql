select partner_id from jobs where kind = $1 and subject_id = $2
