select sales from sale_counts where partner_id = $1 and bucket = $2
