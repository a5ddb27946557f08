select count(*) from jobs where partner_id = $1 and (owner is not null or due_at <= $2)
