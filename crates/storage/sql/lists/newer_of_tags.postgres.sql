-- A page, the count of all, and whether there is anything on its older side, as of one moment. Ids sort by the time at which
-- they were made. While two keys are live, a record has the tag of one of them; else both are the same. Each tag is looked at
-- by itself, and `offset 0` has each record read by its key, whatever the planner thinks of their number.
with found as (
    select subject_id from (
        (select subject_id from tags where partner_id = $1 and tag = $2 and subject_id > $4
          order by subject_id asc limit $5)
        union all
        (select subject_id from tags where partner_id = $1 and tag = $3 and $3 <> $2 and subject_id > $4
          order by subject_id asc limit $5)
    ) as tagged order by subject_id asc limit $5
), page as (
    select q.* from found cross join lateral (
        select {columns} from {table} as q where q.partner_id = $1 and q.{id} = found.subject_id offset 0) as q
)
select (select count(*) from tags where partner_id = $1 and tag = $2)
       + (select count(*) from tags where partner_id = $1 and tag = $3 and $3 <> $2),
       exists (select 1 from tags where partner_id = $1 and tag = $2 and subject_id <= $4)
       or exists (select 1 from tags where partner_id = $1 and tag = $3 and subject_id <= $4),
       page.*
  from (select 1) as always left join page on true
 order by page.{id} asc
