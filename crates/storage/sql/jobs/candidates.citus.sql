-- Jobs that are due, partners in turn, of every node: those who claim see what is still free of them.
with held as (
    select partner_id, count(*) as jobs from jobs where owner is not null and due_at > $1 group by partner_id
)
select due.partner_id, due.kind, due.subject_id
  from (select partner_id, kind, subject_id, due_at, row_number() over (partition by partner_id order by due_at) as nth
          from jobs where due_at <= $1 and kind = any ($3::smallint[])) as due
  left join held on held.partner_id = due.partner_id
 where due.nth <= $2
 order by coalesce(held.jobs, 0) + due.nth, due.due_at limit $2
