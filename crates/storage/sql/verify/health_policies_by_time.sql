select partner_id, issued_at from health_policies order by partner_id, issued_at
