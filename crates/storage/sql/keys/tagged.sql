-- A page of tags after one of them, by the primary key. One that is made anew on the way may be met again, and is good then.
select partner_id, subject_id, tag, named from tags
 where (partner_id, tag, subject_id) > ($1, $2, $3) order by partner_id, tag, subject_id limit $4
