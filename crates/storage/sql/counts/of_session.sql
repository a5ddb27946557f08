select cast(coalesce(sum(number), 0) as bigint) from session_counts where partner_id = $1 and session_id = $2 and kind = $3
