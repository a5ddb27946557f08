select cast(coalesce(sum(number), 0) as bigint) from day_counts where partner_id = $1 and kind = $2 and day between $3 and $4
