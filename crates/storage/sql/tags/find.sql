-- The newest first: ids sort by the time at which they were made.
select partner_id, subject_id, tag, named from tags where partner_id = $1 and tag = $2 order by subject_id desc limit $3
