-- A page of sessions, from whose metadata the tags of their people are made.
select partner_id, session_id, created_at, body
  from sessions where (partner_id, session_id) > ($1, $2) order by partner_id, session_id limit $3
