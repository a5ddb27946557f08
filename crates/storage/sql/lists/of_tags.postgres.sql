-- `offset 0` keeps the planner from merging the lateral subquery, so that it reads each record by its id.
select q.* from (
    select distinct subject_id from tags where partner_id = $1 and tag in ($2, $3) and subject_id {beyond} $4 order by subject_id {order} limit $5
) as found cross join lateral (
    select {columns} from {shown} where partner_id = $1 and {id} = found.subject_id offset 0) as q
 order by q.{id} {order}
