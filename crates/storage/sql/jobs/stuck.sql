select partner_id, kind, subject_id, due_at, faults
  from jobs where (due_at < $1 or faults >= $2) and partner_id not in (select partner_id from partners where is_test)
 order by due_at limit $3
