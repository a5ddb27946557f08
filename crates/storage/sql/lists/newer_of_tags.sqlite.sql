-- Ids sort by the time at which they were made. While two keys are live, a record has the tag of one of them.
select {columns} from tags as t join {table} as q on q.partner_id = t.partner_id and q.{id} = t.subject_id
 where t.partner_id = $1 and t.tag in ($2, $3) and t.subject_id > $4
 order by t.subject_id asc limit $5
