-- A page, the count of all, and whether there is anything on its newer side, as of one moment.
with page as (
    select {columns} from {table} as q
     where q.partner_id = $1 and {filter} and q.session_id = $2 and (q.{at}, q.{id}) < ($3, $4)
     order by q.{at} desc, q.{id} desc limit $5
)
select (select coalesce(sum(number), 0)::bigint from session_counts where partner_id = $1 and session_id = $2 and kind = any($6)),
       coalesce((select true from {table} as q where q.partner_id = $1 and {filter} and q.session_id = $2 and (q.{at}, q.{id}) >= ($3, $4)
                  order by q.{at} asc, q.{id} asc limit 1), false),
       page.*
  from (select 1) as always left join page on true
 order by page.{at} desc, page.{id} desc
