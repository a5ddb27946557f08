update jobs set due_at = $1
  from unnest($2::uuid[], $3::smallint[], $4::uuid[], $5::uuid[], $6::integer[]) as held (partner_id, kind, subject_id, owner, attempt)
 where jobs.partner_id = any ($2) and jobs.partner_id = held.partner_id and jobs.kind = held.kind and jobs.subject_id = held.subject_id
   and jobs.owner = held.owner and jobs.attempt = held.attempt
