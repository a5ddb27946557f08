-- The order is by time, because ids begin with the time of creation. While two keys are live, a record may have the
-- tags of both. Then only its tag by the first key ($2) counts, so that the record appears once. The cross join makes
-- SQLite read the tags first: they are few, but the other table may have many rows.
select {qualified} from tags as t cross join {shown} as q
 where q.partner_id = t.partner_id and q.{id} = t.subject_id and t.partner_id = $1 and t.tag in ($2, $3) and t.subject_id {beyond} $4
   and not exists (select 1 from tags as first where first.partner_id = t.partner_id and first.tag = $2
                    and first.subject_id = t.subject_id and t.tag <> $2)
 order by t.subject_id {order} limit $5
