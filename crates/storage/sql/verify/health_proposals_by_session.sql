select partner_id, session_id from health_proposals where session_id is not null order by partner_id, session_id
