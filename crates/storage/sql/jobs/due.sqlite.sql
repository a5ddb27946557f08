-- The jobs of one partner that are due, each with its turn among all partners' jobs: behind those of it that are held.
select kind, subject_id, due_at,
       row_number() over (order by due_at)
       + (select count(*) from jobs as held where held.owner is not null and held.partner_id = $1 and held.due_at > $2)
  from (select kind, subject_id, due_at from jobs
         where partner_id = $1 and due_at <= $2 and (kind = $3) = $4 order by due_at limit $5)
