-- The newest record comes first, because ids begin with the time of creation.
select partner_id, subject_id, tag, named from tags where partner_id = $1 and tag = $2 order by subject_id desc limit $3
