select partner_id, session_id from health_policies where session_id is not null order by partner_id, session_id
