update tags set tag = given.tag
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) as given (partner_id, subject_id, before, tag)
 where tags.partner_id = any ($1) and tags.partner_id = given.partner_id and tags.tag = given.before and tags.subject_id = given.subject_id
