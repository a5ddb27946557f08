select partner_id, day, number from day_counts where kind = $1 order by partner_id, day
