select ended_at from status_pages where partner_id = $1 and proposal_id = $2
