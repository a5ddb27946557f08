-- A page of tags by the primary key. If a tag is replaced while the pages are read, its record may appear again on a
-- later page. That tag is already correct.
select partner_id, subject_id, tag, named from tags
 where (partner_id, tag, subject_id) > ($1, $2, $3) order by partner_id, tag, subject_id limit $4
