select tag from tags where partner_id = $1 and subject_id = $2 and tag in ({tags})
