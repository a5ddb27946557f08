select issued, version from token_counts where partner_id = $1
