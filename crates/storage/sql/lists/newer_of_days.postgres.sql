-- A page, the count of all, and whether there is anything on its older side, as of one moment.
-- One bound each way, so that the index is entered at the position and nowhere else.
with page as (
    select {columns} from {table} as q
     where q.partner_id = $1 and {filter} and q.{at} < $3 and (q.{at}, q.{id}) > ($4, $5)
     order by q.{at} asc, q.{id} asc limit $6
)
select ({count}),
       exists (select 1 from {table} as q where q.partner_id = $1 and {filter} and q.{at} >= $2 and (q.{at}, q.{id}) <= ($4, $5)),
       page.*
  from (select 1) as always left join page on true
 order by page.{at} asc, page.{id} asc
