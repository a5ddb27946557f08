-- A page, the count of all, and whether there is anything on its older side, as of one moment.
-- One bound each way, so that the index is entered at the position and nowhere else.
-- What lies beyond is looked for in its order: by `exists` the planner would take any row, and walk through the table for it.
with page as (
    select {columns} from {table} as q
     where q.partner_id = $1 and {filter} and q.{at} < $3 and (q.{at}, q.{id}) > ($4, $5)
     order by q.{at} asc, q.{id} asc limit $6
)
select ({count}),
       coalesce((select true from {table} as q where q.partner_id = $1 and {filter} and q.{at} >= $2 and (q.{at}, q.{id}) <= ($4, $5)
                  order by q.{at} desc, q.{id} desc limit 1), false),
       page.*
  from (select 1) as always left join page on true
 order by page.{at} asc, page.{id} asc
