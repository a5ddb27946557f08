select partner_id, created_at from health_quotes order by partner_id, created_at
