update health_quotes set lead_tag = given.lead_tag, user_tag = given.user_tag
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) as given (partner_id, quote_id, lead_tag, user_tag)
 where health_quotes.partner_id = given.partner_id and health_quotes.quote_id = given.quote_id
