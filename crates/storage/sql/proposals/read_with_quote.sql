select p.status, p.created_at, p.changed_at, p.body, q.quote_id, q.body
  from proposals as p left join embedded_quotes as q on q.partner_id = p.partner_id and q.quote_id = p.quote_id
 where p.partner_id = $1 and p.proposal_id = $2
