-- A page of sessions, for the tags of the people in their metadata.
select session_id, created_at, body, partner_id
  from sessions where (partner_id, session_id) > ($1, $2) order by partner_id, session_id limit $3
