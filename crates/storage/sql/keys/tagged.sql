-- keys/tagged.sql: quotes that are looked up by a tag, after one of them.
select quote_id, created_at, body, partner_id, lead_tag, user_tag from health_quotes
 where (lead_tag is not null or user_tag is not null) and (partner_id, quote_id) > ($1, $2)
 order by partner_id, quote_id limit $3
