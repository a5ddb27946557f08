select partner_id, session_id, number from session_counts where kind = $1 order by partner_id, session_id
