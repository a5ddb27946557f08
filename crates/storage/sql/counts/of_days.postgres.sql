select coalesce(sum(number), 0)::bigint from day_counts where partner_id = $1 and kind = any($7) and day between $8 and $9
