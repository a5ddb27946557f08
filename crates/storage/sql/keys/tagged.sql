-- A page of tags after one of them, by the primary key. A tag that is written anew meanwhile may come twice; the second
-- time it is correct.
select partner_id, subject_id, tag, named from tags
 where (partner_id, tag, subject_id) > ($1, $2, $3) order by partner_id, tag, subject_id limit $4
