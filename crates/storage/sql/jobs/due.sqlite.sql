-- The jobs of one partner that are due, each with its turn among all partners' jobs: behind those of it that are held, which are few.
-- The kinds of a family lie side by side.
select kind, subject_id, due_at,
       row_number() over (order by due_at)
       + (select count(*) from jobs as held indexed by jobs_by_owner
           where held.owner is not null and held.partner_id = $1 and held.due_at > $2)
  from (select kind, subject_id, due_at from jobs
         where partner_id = $1 and due_at <= $2 and kind between $3 and $4 order by due_at limit $5)
