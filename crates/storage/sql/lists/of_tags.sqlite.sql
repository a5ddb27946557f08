-- Ids sort by the time at which they were made. While two keys are live, a record has the tag of one of them, or of both: then the tag of
-- the first counts. The tags come first (a cross join keeps its order): they are few, and the table is as long as the partner's book.
select {qualified} from tags as t cross join {shown} as q
 where q.partner_id = t.partner_id and q.{id} = t.subject_id and t.partner_id = $1 and t.tag in ($2, $3) and t.subject_id {beyond} $4
   and not exists (select 1 from tags as first where first.partner_id = t.partner_id and first.tag = $2
                    and first.subject_id = t.subject_id and t.tag <> $2)
 order by t.subject_id {order} limit $5
