select partner_id, subject_id, tag, named from tags
 where partner_id = $1 and subject_id >= $2 and subject_id < $3 and (subject_id, tag) > ($4, $5)
 order by subject_id, tag limit $6
