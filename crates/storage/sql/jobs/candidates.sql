-- Due jobs, with the partners in turn: the first job of each partner comes before the second job of any. If workers
-- already hold jobs of a partner, these count as its first jobs.
select due.partner_id, due.kind, due.subject_id
  from (select partner_id, kind, subject_id, due_at, row_number() over (partition by partner_id order by due_at) as nth
          from jobs where due_at <= $1 and kind between $2 and $3) as due
  left join (select partner_id, count(*) as jobs from jobs where owner is not null and due_at > $1 group by partner_id) as held
    on held.partner_id = due.partner_id
 where due.nth <= $4
 order by coalesce(held.jobs, 0) + due.nth, due.due_at limit $4
