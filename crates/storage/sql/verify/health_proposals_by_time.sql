select partner_id, created_at from health_proposals order by partner_id, created_at
